/** Adds the token to the fragments of links to the other pages of the service. */
export function carryToken(token: string): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('nav a, main a[href^="/docs/guides"]');
  const fragment = token === '' ? '' : `#token=${encodeURIComponent(token)}`;
  // Set as an attribute, because `hash` would make the address absolute.
  for (const link of links) link.setAttribute('href', link.pathname + fragment);
}
