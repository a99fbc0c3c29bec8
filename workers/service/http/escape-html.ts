// Text in pages that are written as text.

/** What may stand between tags and in quoted attributes (HTML, section 13.1.4). */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
