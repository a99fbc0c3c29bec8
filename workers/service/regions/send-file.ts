// Sends a region file or a range of it. Supports conditional requests.

import type { Piece } from '../../../shared/region/plan-region.ts';
import { readsOf } from '../../../shared/region/reads.ts';
import { allowsMatch, isRangeFor, rangeOf } from '../http/byte-range.ts';
import type { AppContext } from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import { closingHeaders } from '../http/response-headers.ts';
import { ApiError, regionTooLarge } from '../runtime/errors.ts';
import { Download } from './download.ts';
import { bytesOf, type SourceOf } from './read-sources.ts';

interface PlannedFile {
  readonly pieces: readonly Piece[];
  readonly bytes: number;
  readonly etag: string;
  readonly contentType: string;
  readonly name: string;
}

/**
 * @throws ApiError 412 if If-Match does not contain the ETag, 413 if the range needs too many reads, 416 for a range
 *   beyond the end, 429 if the account has too many downloads, 503 if the first bytes cannot be read. A later failure
 *   ends the connection, so that the client detects the incomplete file.
 */
export async function sendFile(
  c: AppContext,
  source: SourceOf,
  { pieces, bytes, etag, contentType, name }: PlannedFile,
): Promise<Response> {
  const header = (name: string) => c.req.header(name);
  if (!allowsMatch(header('if-match'), etag))
    throw new ApiError('region_changed', undefined, { headers: { etag } });
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    // The content is already compressed, and a proxy that compresses it again would break ranges.
    'cache-control': 'private, max-age=300, no-transform',
    vary: 'Authorization',
  };
  if (matchesEtag(header('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  // Range applies only to GET; HEAD describes the whole file (RFC 9110, section 14.2).
  const isRanged = c.req.method === 'GET' && isRangeFor(header('if-range'), etag);
  const range = isRanged ? rangeOf(header('range'), bytes) : undefined;
  if (range === 'unsatisfiable')
    throw new ApiError(
      'range_not_satisfiable',
      `The range begins after the end of the file, which has ${bytes} bytes. Request a range within the file.`,
      { headers: { 'content-range': `bytes */${bytes}` } },
    );
  const { start, end } = range ?? { start: 0, end: bytes };
  const answer = {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...closingHeaders(c, headers.vary),
      'content-type': contentType,
      'content-length': `${end - start}`,
      'content-disposition': `attachment; filename="${name}"`,
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end - 1}/${bytes}` }),
    },
  };
  if (c.req.method === 'HEAD') return new Response(null, answer);
  const reads = readsOf(pieces, start, end);
  if (reads === undefined) throw regionTooLarge(bytes);
  const download = new Download(c.get('caller')?.account ?? '');
  const chunks = bytesOf(source, reads);
  // Deferred: if the client disconnects, the work ends and the next download can start.
  const { defer } = c.get('cost');
  // Read the first bytes from the archive before responding. The start of the file is
  // generated, and does not prove that the archive can be read.
  const begun = firstOf(chunks, download);
  defer(begun.catch(() => undefined));
  const first = await begun;
  // With a known length the platform sends a Content-Length, so that a client can detect a truncated file.
  const { readable, writable } = new FixedLengthStream(end - start);
  defer(pump(download, first, chunks, writable));
  return new Response(readable, answer);
}

async function firstOf(chunks: AsyncGenerator<Uint8Array>, download: Download) {
  try {
    return [await chunks.next(), await chunks.next()];
  } catch (error) {
    download.end();
    throw error;
  }
}

async function pump(
  download: Download,
  first: readonly IteratorResult<Uint8Array>[],
  rest: AsyncGenerator<Uint8Array>,
  into: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = into.getWriter();
  try {
    for (const { done, value } of first) if (done !== true) await download.send(value, writer);
    for await (const chunk of rest) await download.send(chunk, writer);
    await writer.close();
  } catch (error) {
    // Failures to read are already logged. Other errors: the client disconnected or is too slow.
    await writer.abort(error).catch(() => undefined);
  } finally {
    download.end();
  }
}
