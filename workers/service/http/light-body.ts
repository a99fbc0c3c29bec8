// Light requests have a small body. A body without a Content-Length is read until it ends or is no longer small.

import type { AppContext } from './endpoint.ts';
import { readPieces } from './read-pieces.ts';

/** About 700 soundings. */
export const LIGHT_BODY_BYTES = 65_536;

/** Whether the request has no body, or its Content-Length is small. */
export const statesLight = (c: AppContext): boolean =>
  c.req.raw.body === null || Number(c.req.header('content-length')) <= LIGHT_BODY_BYTES;

/**
 * Whether the body is not small. A body without a Content-Length gets one if it is small. Otherwise it continues as a
 * stream. @throws ApiError 400, 408
 */
export async function hasLongBody(c: AppContext): Promise<boolean> {
  if (statesLight(c)) return false;
  if (c.req.header('content-length') !== undefined) return true;
  const { raw } = c.req;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const isLong = () => size > LIGHT_BODY_BYTES;
  try {
    await readPieces(raw, Number.POSITIVE_INFINITY, (piece) => {
      pieces.push(piece);
      size += piece.length;
      if (isLong()) throw new Error('The body is not small.');
    });
  } catch (error) {
    if (!isLong()) throw error;
  }
  const headers = new Headers(raw.headers);
  if (!isLong()) headers.set('content-length', String(size));
  const body = isLong() ? continued(pieces, raw.body!.getReader()) : new Blob(pieces);
  // Node requires `duplex` for a stream.
  const init = { headers, body, duplex: 'half' };
  c.req.raw = new Request(raw, init);
  return isLong();
}

/** The pieces that were read, and the rest. */
const continued = (pieces: Uint8Array[], rest: ReadableStreamDefaultReader<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const piece = pieces.shift() ?? (await rest.read()).value;
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel: (reason) => rest.cancel(reason),
  });
