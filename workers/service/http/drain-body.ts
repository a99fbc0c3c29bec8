// The rest of a request's body, read and forgotten. A server that answers before it has read what it
// was sent must close the connection (RFC 9112, section 9.3), and where bytes are still under way its
// client sees a reset, perhaps in place of the answer. The runtime reads on for 64 KiB or a second
// and then does just that, so whoever refuses a body unread has the rest read here, within bounds:
// beyond them the runtime ends the connection, long after the answer has left.

import { withinLimit } from '../runtime/time-limit.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';

/** Twice the largest body that is taken: a client that merely sent too much is heard to its end. */
export const MAX_DRAINED_BYTES = 33_554_432;
/** After so many bytes others have their turn. */
const TURN_BYTES = 262_144;
/** For a client that goes on sending though it was answered. */
const REST_LIMIT_MS = 30_000;

/** Whether something of a body may be left to read. Who reads one to its end keeps it locked. */
export const hasUnreadBody = ({ body }: Request): boolean => body !== null && !body.locked;

/**
 * The answer, whose end waits until all of an unread request was received; its bytes do not wait, so
 * a client that reads while it sends learns at once that it may stop.
 */
export async function respondAfterDrain(request: Request, response: Response): Promise<Response> {
  const rest = readToEnd(request.body as ReadableStream<Uint8Array>);
  const { status, headers } = response;
  // What has no body cannot end late, and what is packed would be packed again.
  if (request.method === 'HEAD' || response.body === null || headers.has('content-encoding')) {
    await rest;
    return response;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const length = { 'content-length': `${bytes.length}` };
  const all = { ...Object.fromEntries(headers), ...length };
  return new Response(untilThen(bytes, rest), { status, headers: all });
}

/** A stream of the bytes that ends later. Its length is said, so its reader need not wait for that. */
function untilThen(bytes: Uint8Array, end: Promise<void>): ReadableStream<Uint8Array> {
  const { readable, writable } =
    typeof FixedLengthStream === 'undefined'
      ? new TransformStream<Uint8Array, Uint8Array>()
      : new FixedLengthStream(bytes.length);
  const send = async () => {
    const writer = writable.getWriter();
    await writer.write(bytes);
    await end;
    await writer.close();
  };
  // Who went away needs no answer.
  send().catch(() => undefined);
  return readable;
}

async function readToEnd(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const read = async () => {
    let turnAt = TURN_BYTES;
    for (let size = 0; size <= MAX_DRAINED_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
      if (size < turnAt) continue;
      turnAt = size + TURN_BYTES;
      await yieldToEventLoop();
    }
  };
  try {
    await withinLimit(read(), REST_LIMIT_MS);
    // Nothing, where all of it was read.
    await reader.cancel();
  } catch {
    // Whoever was sending went away, or sends for ever.
    reader.cancel().catch(() => undefined);
  }
}
