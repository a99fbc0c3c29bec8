// Reads a body in chunks and counts its bytes. Content-Length cannot be trusted: it is ignored if
// there is a Transfer-Encoding (RFC 9112, section 6.3).

import { ApiError, bodyTooLarge } from '../runtime/errors.ts';
import { TooSlow, withinLimit } from '../runtime/time-limit.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';

/** Yields to the event loop after this many bytes. */
const YIELD_BYTES = 65_536;
/** Maximum time without data. */
const IDLE_LIMIT_MS = 30_000;
/** A body that takes longer must arrive at the minimum rate. */
const SLOW_AFTER_MS = 60_000;
const MIN_BYTES_PER_MS = 4;

/** A chunk of a body, or its end. */
export interface Chunk {
  readonly done?: boolean | undefined;
  readonly value?: Uint8Array | undefined;
}

/** Waits for a chunk, and measures its time and size. */
export type MeasureRead = <T extends Chunk>(read: () => Promise<T>) => Promise<T>;

/**
 * Passes each chunk of a body to `take`, which may delay the next one. If the body is rejected, by its length or by `take`, the
 * rest stays unread and is drained later (`drain-body.ts`). If the body arrives too slowly, the
 * stream is cancelled and the runtime closes the connection.
 * @throws ApiError 408 if it arrives too slowly, 413 above the limit, 400 if it ends early; and
 *   errors of `take`
 */
export async function readPieces(
  request: Request,
  limitBytes: number,
  take: (piece: Uint8Array<ArrayBuffer>) => void | Promise<void>,
  measured: MeasureRead = (read) => read(),
): Promise<void> {
  if (Number(request.headers.get('content-length')) > limitBytes) throw bodyTooLarge(limitBytes);
  const reader = request.body?.getReader() as
    | ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
    | undefined;
  if (reader === undefined) return;
  let size = 0;
  let yieldAt = YIELD_BYTES;
  const startedAt = Date.now();
  const next = () => measured(() => nextOf(reader.read(), allowedMs(startedAt, size)));
  try {
    // The lock is kept at the end: nothing is left to drain.
    for (let read = await next(); !read.done; read = await next()) {
      size += read.value.length;
      if (size > limitBytes) throw bodyTooLarge(limitBytes);
      const taking = take(read.value);
      if (taking !== undefined) await taking;
      if (size < yieldAt) continue;
      yieldAt = size + YIELD_BYTES;
      await yieldToEventLoop();
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'request_timeout') {
      reader.cancel().catch(() => undefined);
    } else reader.releaseLock();
    throw error;
  }
}

/** The chunks of a body that a library reads. @throws ApiError 408, 400 as above */
export async function* timelyPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const startedAt = Date.now();
  for (let size = 0; ; ) {
    const { done, value } = await nextOf(chunks.next(), allowedMs(startedAt, size));
    if (done === true) return;
    size += value.length;
    yield value;
  }
}

const allowedMs = (startedAt: number, size: number): number =>
  Math.min(IDLE_LIMIT_MS, startedAt + SLOW_AFTER_MS + size / MIN_BYTES_PER_MS - Date.now());

/** @throws ApiError 408; 400 if the client disconnected or the framing is invalid */
async function nextOf<T>(read: Promise<T>, limitMs: number): Promise<T> {
  try {
    return await withinLimit(read, limitMs);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(error instanceof TooSlow ? 'request_timeout' : 'incomplete_body');
  }
}
