// Light requests have a small body. A body without a Content-Length is read until it ends or is no longer small.

import type { AppContext } from './endpoint.ts';
import { checkEncoding } from './read-json.ts';
import { readPieces } from './read-pieces.ts';

/** About 700 soundings. */
export const LIGHT_BODY_BYTES = 65_536;

/** Whether the request has no body, or its Content-Length is small. */
export const statesLight = (c: AppContext): boolean =>
  c.req.raw.body === null || Number(c.req.header('content-length')) <= LIGHT_BODY_BYTES;

/**
 * Whether the body is not small. A body without a Content-Length gets one if it is small. Otherwise it continues as a
 * stream. @throws ApiError 400, 408, 415
 */
export async function hasLongBody(c: AppContext): Promise<boolean> {
  if (statesLight(c)) return false;
  if (c.req.header('content-length') !== undefined) return true;
  checkEncoding(c);
  const { raw } = c.req;
  // One buffer, because each small piece can keep a large buffer of the runtime in memory.
  const start = new Uint8Array(LIGHT_BODY_BYTES);
  let size = 0;
  let beyond: Uint8Array | undefined;
  try {
    await readPieces(raw, Number.POSITIVE_INFINITY, (piece) => {
      if (size + piece.length > LIGHT_BODY_BYTES) {
        beyond = piece;
        throw new Error('The body is not small.');
      }
      start.set(piece, size);
      size += piece.length;
    });
  } catch (error) {
    if (beyond === undefined) throw error;
  }
  const read = start.subarray(0, size);
  const headers = new Headers(raw.headers);
  if (beyond === undefined) headers.set('content-length', String(size));
  const body =
    beyond === undefined ? new Blob([read]) : continued([read, beyond], raw.body!.getReader());
  // Node requires `duplex` for a stream.
  const init = { headers, body, duplex: 'half' };
  c.req.raw = new Request(raw, init);
  return beyond !== undefined;
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
