/** Whether an If-None-Match header is `*` or contains the tag: weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  if (header === undefined || header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
