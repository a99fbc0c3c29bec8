/** Sets the fragment of the links to other pages to `token`. Removes it if `token` is empty. */
export function carryToken(token: string): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('nav a, main a[href^="/docs/guides"]');
  const fragment = token === '' ? '' : `#token=${encodeURIComponent(token)}`;
  // Setting `link.hash` would replace the relative URL with an absolute one.
  for (const link of links) link.setAttribute('href', link.pathname + fragment);
}
