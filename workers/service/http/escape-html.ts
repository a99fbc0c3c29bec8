/** Escapes text for element content and quoted attributes (HTML, section 13.1.4). */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
