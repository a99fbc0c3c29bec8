// A planned file on its way to the client: whole or a range of it, on the conditions that it names.

import type { Piece } from '../../../shared/region/plan-region.ts';
import { readsOf } from '../../../shared/region/reads.ts';
import { allowsMatch, isRangeFor, rangeOf } from '../http/byte-range.ts';
import type { AppContext } from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import { closingHeaders } from '../http/response-headers.ts';
import { rangeNotSatisfiable, regionChanged, regionTooLarge } from '../runtime/errors.ts';
import { MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import { bytesOf, type SourceOf } from './read-sources.ts';

interface PlannedFile {
  readonly pieces: readonly Piece[];
  readonly bytes: number;
  readonly etag: string;
  readonly contentType: string;
  readonly name: string;
}

/**
 * @throws ApiError 412 where If-Match names another file, 416 for a range beyond its end, 503 where
 *   its first bytes cannot be read; what fails later ends the connection, as a shorter file would lie
 */
export async function sendFile(
  c: AppContext,
  source: SourceOf,
  { pieces, bytes, etag, contentType, name }: PlannedFile,
): Promise<Response> {
  const header = (name: string) => c.req.header(name);
  if (!allowsMatch(header('if-match'), etag)) throw regionChanged(etag);
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    // It is packed already, and proxies that pack it anew would break ranges.
    'cache-control': 'private, max-age=300, no-transform',
    vary: 'Authorization',
  };
  const known = header('if-none-match');
  if (known !== undefined && (known.trim() === '*' || matchesEtag(known, etag))) {
    return new Response(null, { status: 304, headers });
  }
  // A range is of what GET answers alone: HEAD tells of the whole file (RFC 9110, section 14.2).
  const isRanged = c.req.method === 'GET' && isRangeFor(header('if-range'), etag);
  const asked = isRanged ? rangeOf(header('range'), bytes) : undefined;
  if (asked === 'unsatisfiable') throw rangeNotSatisfiable(bytes);
  const { start, end } = asked ?? { start: 0, end: bytes };
  const answer = {
    status: asked === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...closingHeaders(c, headers.vary),
      'content-type': contentType,
      'content-length': `${end - start}`,
      'content-disposition': `attachment; filename="${name}"`,
      ...(asked === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${bytes}` }),
    },
  };
  if (c.req.method === 'HEAD') return new Response(null, answer);
  const reads = readsOf(pieces, start, end);
  if (reads === undefined) throw regionTooLarge(bytes);
  const chunks = bytesOf(source, reads);
  // The beginning is made here: only what comes behind it tells whether the archive can be read.
  const first = [await chunks.next(), await chunks.next()];
  // Told its length, so that the platform sends it as such and a client sees where it broke off.
  const { readable, writable } = new FixedLengthStream(end - start);
  void pump(first, chunks, writable);
  return new Response(readable, answer);
}

async function pump(
  first: readonly IteratorResult<Uint8Array>[],
  rest: AsyncGenerator<Uint8Array>,
  into: WritableStream<Uint8Array>,
): Promise<void> {
  const reservation = new MemoryReservation();
  reservation.grow(WORK_BYTES.region);
  const writer = into.getWriter();
  try {
    for (const { done, value } of first) if (done !== true) await writer.write(value);
    for await (const chunk of rest) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    // Reading has logged what failed there; else the client has left.
    await writer.abort(error).catch(() => undefined);
  } finally {
    reservation.release();
  }
}
