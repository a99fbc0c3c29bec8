// A request's body as it comes, counted by what was read. What a request says of its own length is a
// promise: with a coding of the transfer beside it, it counts for nothing (RFC 9112, section 6.3).

import { bodyTooLarge, incompleteBody } from '../runtime/errors.ts';
import { turnOfOthers } from '../runtime/turn-of-others.ts';

/** After so many bytes others have their turn. */
const TURN_BYTES = 65_536;

/**
 * Hands on each piece of a body as it comes. Of a body that is refused, by its length or by `take`,
 * the rest stays unread; it is read when the answer is on its way (`read-rest.ts`).
 * @throws ApiError 413 beyond the limit, as soon as that is known; 400 where the body breaks off;
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
  try {
    // Who reads a body to its end keeps it locked: there is no rest.
    for (let next = await nextOf(reader); !next.done; next = await nextOf(reader)) {
      size += next.value.length;
      if (size > limitBytes) throw bodyTooLarge(limitBytes);
      take(next.value);
      if (size < turnAt) continue;
      turnAt = size + TURN_BYTES;
      await turnOfOthers();
    }
  } catch (error) {
    reader.releaseLock();
    throw error;
  }
}

/** Its client went away, or sent a length or chunks that are none: nothing of ours failed. */
async function nextOf<T>(
  reader: ReadableStreamDefaultReader<T>,
): Promise<ReadableStreamReadResult<T>> {
  try {
    return await reader.read();
  } catch {
    throw incompleteBody();
  }
}
