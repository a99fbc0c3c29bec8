// A TCP connection that sends given bytes and reads responses one after the other. It records how the
// other side ended the connection.

import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawConnection {
  /** Resolves when the bytes are sent, at the speed of the other side. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** The next complete response. @throws Error if the connection ends before it */
  answer(to?: 'HEAD'): Promise<RawAnswer>;
  /** Closes the sending side. Responses are still read. */
  finish(): void;
  /** How the other side ended the connection; undefined while it is open. */
  readonly ended: string | undefined;
  close(): void;
}

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  let ended: string | undefined;
  let look: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    look();
  });
  const end = (how: string) => {
    ended ??= how;
    look();
  };
  socket.on('end', () => end('closed'));
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  socket.on('close', () => end('closed'));
  await new Promise<void>((done, fail) => {
    socket.once('connect', done);
    socket.once('error', fail);
  });
  return {
    send: (bytes) =>
      new Promise((done, fail) => {
        socket.write(bytes, (error) => (error ? fail(error) : done()));
      }),
    answer: (to) =>
      new Promise((done, fail) => {
        look = () => {
          const found = readAnswer(received, to === 'HEAD');
          if (found !== undefined) {
            received = received.subarray(found.length);
            look = () => undefined;
            done(found.answer);
          } else if (ended !== undefined) {
            fail(new Error(`The connection was ${ended} instead of an answer.`));
          }
        };
        look();
      }),
    get ended() {
      return ended;
    },
    finish: () => void socket.end(),
    close: () => socket.destroy(),
  };
}

/** The response to one request on a new connection. @param bytes one character per byte */
export async function bareAnswer(port: number, bytes: string): Promise<RawAnswer> {
  const connection = await openConnection(port);
  try {
    // A server that refuses a request may end the connection before it has received everything.
    connection.send(Buffer.from(bytes, 'latin1')).catch(() => undefined);
    return await connection.answer();
  } finally {
    connection.close();
  }
}

/** The first response (RFC 9112, section 6.3) and its length in bytes; undefined while it is incomplete. */
function readAnswer(
  bytes: Buffer,
  isToHead: boolean,
): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number(first.split(' ')[1]);
  const start = headEnd + 4;
  const whole = (body: string, length: number) => ({
    answer: { status, headers, body },
    length: start + length,
  });
  if (isToHead || status === 204 || status === 304) return whole('', 0);
  if (headers['transfer-encoding'] === 'chunked') {
    const found = readChunks(bytes.subarray(start));
    return found === undefined ? undefined : whole(found.body, found.length);
  }
  const length = Number(headers['content-length'] ?? 0);
  if (bytes.length < start + length) return undefined;
  return whole(bytes.subarray(start, start + length).toString(), length);
}

function readChunks(bytes: Buffer): { readonly body: string; readonly length: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts).toString(), length: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
