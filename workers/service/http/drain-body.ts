// Drains the unread rest of a body. A server that responds before it has read the whole body must
// close the connection (RFC 9112, section 9.3); if the client is still sending, it may see a reset
// instead of the response. The runtime drains only 64 KiB or for one second. Above the limits here
// the runtime closes the connection, long after the response was sent.

import { withinLimit } from '../runtime/time-limit.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';

/** Twice the size of the largest accepted body. */
export const MAX_DRAINED_BYTES = 33_554_432;
/** Yields to the event loop after this many bytes. */
const YIELD_BYTES = 262_144;
const DRAIN_LIMIT_MS = 30_000;

/** Whether a body may have unread bytes. Code that reads a body to its end keeps it locked. */
export const hasUnreadBody = ({ body }: Request): boolean => body !== null && !body.locked;

/** Longer responses are sent as a stream. They wait for the drain, and are never in memory as a whole. */
const MAX_HELD_BYTES = 1_048_576;

const isStreamed = (headers: Headers): boolean =>
  Number(headers.get('content-length') ?? 0) > MAX_HELD_BYTES ||
  /^text\/(csv|event-stream)\b/.test(headers.get('content-type') ?? '');

/**
 * Returns the response with a stream that ends when the request body is drained. The bytes
 * themselves are sent at once, so a client that reads while it sends can stop early.
 */
export async function respondAfterDrain(request: Request, response: Response): Promise<Response> {
  const drained = drain(request.body as ReadableStream<Uint8Array>);
  const { status, headers } = response;
  // A response without a body cannot end late, and a compressed one would be compressed again.
  const isPlain = request.method === 'HEAD' || response.body === null;
  if (isPlain || headers.has('content-encoding') || isStreamed(headers)) {
    await drained;
    return response;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const length = { 'content-length': `${bytes.length}` };
  const all = { ...Object.fromEntries(headers), ...length };
  return new Response(endingAfter(bytes, drained), { status, headers: all });
}

/**
 * A stream of the bytes that ends when `end` resolves. Readers know its length and need not wait.
 */
function endingAfter(bytes: Uint8Array, end: Promise<void>): ReadableStream<Uint8Array> {
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
  // The client disconnected.
  send().catch(() => undefined);
  return readable;
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const read = async () => {
    let yieldAt = YIELD_BYTES;
    for (let size = 0; size <= MAX_DRAINED_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) return;
      size += value.length;
      if (size < yieldAt) continue;
      yieldAt = size + YIELD_BYTES;
      await yieldToEventLoop();
    }
  };
  try {
    await withinLimit(read(), DRAIN_LIMIT_MS);
    // Has no effect if everything was read.
    await reader.cancel();
  } catch {
    // The client disconnected or exceeded the time limit.
    reader.cancel().catch(() => undefined);
  }
}
