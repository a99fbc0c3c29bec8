// Parts of a representation, and on which condition (RFC 9110, sections 13 and 14).

/** First byte, and the one behind the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a Range header asks for of so many bytes; undefined for all of them, as also where it is none,
 * or several at once, which a server need not serve.
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

/** Whether If-Match allows an answer: strong comparison (RFC 9110, section 13.1.1). */
export const allowsMatch = (header: string | undefined, etag: string): boolean =>
  header === undefined ||
  header.trim() === '*' ||
  header.split(',').some((one) => one.trim() === etag);

/** Whether a Range counts: If-Range names this very representation, or is absent. Dates name none. */
export const isRangeFor = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;
