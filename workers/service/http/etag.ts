// Entity tags of a conditional request.

/** Whether If-None-Match names the tag: weak comparison, as for GET (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
