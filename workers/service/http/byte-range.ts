// Range requests and their conditions (RFC 9110, sections 13 and 14).

/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header. @param size of the representation in bytes
 * @returns `undefined` if the header is absent, invalid or has several ranges: send everything
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether the If-Match condition is true: strong comparison (RFC 9110, section 13.1.1). */
export const allowsMatch = (header: string | undefined, etag: string): boolean =>
  header === undefined ||
  header.trim() === '*' ||
  header.split(',').some((one) => one.trim() === etag);

/** Whether Range applies: If-Range is absent or matches. A date never matches. */
export const isRangeFor = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;
