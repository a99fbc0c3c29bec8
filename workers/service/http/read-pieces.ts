// A request's body as it comes, counted by what was read. What a request says of its own length is a
// promise: with a coding of the transfer beside it, it counts for nothing (RFC 9112, section 6.3).

import { bodyTooLarge, incompleteBody, requestTimeout } from '../runtime/errors.ts';
import { TooSlow, withinLimit } from '../runtime/time-limit.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';

/** After so many bytes others have their turn. */
const TURN_BYTES = 65_536;
/** A client that sends nothing for so long has gone, or wants to be waited for. */
const SILENCE_LIMIT_MS = 30_000;
/** What takes longer must have come as fast as the slowest of links that people send by. */
const SLOW_AFTER_MS = 60_000;
const LEAST_BYTES_PER_MS = 4;

/**
 * Hands on each piece of a body as it comes. Of a body that is refused, by its length or by `take`,
 * the rest stays unread; it is read when the answer is on its way (`drain-body.ts`). Of one that does not
 * come to its end nothing more is read, so the runtime ends the connection.
 * @throws ApiError 408 for one that comes too slowly; 413 beyond the limit, as soon as that is known; 400 where the body breaks off;
 *   whatever `take` throws
 */
export async function readPieces(
  request: Request,
  limitBytes: number,
  take: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  if (Number(request.headers.get('content-length')) > limitBytes) throw bodyTooLarge(limitBytes);
  const reader = request.body?.getReader() as
    | ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
    | undefined;
  if (reader === undefined) return;
  let size = 0;
  let turnAt = TURN_BYTES;
  const startedAt = Date.now();
  const next = () => {
    const until = startedAt + SLOW_AFTER_MS + size / LEAST_BYTES_PER_MS;
    return nextOf(reader, Math.min(SILENCE_LIMIT_MS, until - Date.now()));
  };
  try {
    // Who reads a body to its end keeps it locked: there is no rest.
    for (let read = await next(); !read.done; read = await next()) {
      size += read.value.length;
      if (size > limitBytes) throw bodyTooLarge(limitBytes);
      take(read.value);
      if (size < turnAt) continue;
      turnAt = size + TURN_BYTES;
      await yieldToEventLoop();
    }
  } catch (error) {
    if (error instanceof TooSlow) {
      reader.cancel().catch(() => undefined);
      throw requestTimeout();
    }
    reader.releaseLock();
    throw error;
  }
}

/** Its client went away, or sent a length or chunks that are none: nothing of ours failed. */
async function nextOf<T>(
  reader: ReadableStreamDefaultReader<T>,
  limitMs: number,
): Promise<ReadableStreamReadResult<T>> {
  try {
    return await withinLimit(reader.read(), limitMs);
  } catch (error) {
    throw error instanceof TooSlow ? error : incompleteBody();
  }
}
