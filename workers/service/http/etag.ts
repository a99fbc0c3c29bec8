/** Whether an If-None-Match header contains the tag: weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
