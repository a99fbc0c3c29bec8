// The rest of a request's body, read and forgotten. A server that answers before it has read what it
// was sent must close the connection (RFC 9112, section 9.3), and where bytes are still under way its
// client sees a reset, perhaps in place of the answer. The runtime reads on for 64 KiB or a second
// and then does just that, so whoever refuses a body unread has the rest read here.

/** Whether something of a body may be left to read. Who reads one to its end keeps it locked. */
export const isUnread = ({ body }: Request): boolean => body !== null && !body.locked;

/**
 * The answer, whose end waits until all of an unread request was received; its bytes do not wait, so
 * a client that reads while it sends learns at once that it may stop.
 *
 * There is no bound: whoever sends without end holds this one connection, and no memory, as with a
 * body that is taken. Platforms bound bodies before they reach a Worker.
 */
export async function endWithRequest(request: Request, response: Response): Promise<Response> {
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
  try {
    while (!(await reader.read()).done);
  } catch {
    // Whoever was sending went away.
  }
}
