// The HTTP server in front of the self-hosted Worker, in the role of the platform's edge. It is needed
// because the runtime (workerd) answers 500 to malformed requests, accepts ambiguous framing, and closes
// a connection five seconds after it wrote the last bytes: a client that still reads a long response then
// gets a reset in its next request. Each request uses a new connection to the runtime.

import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, badRequest } from '../../service/runtime/errors.ts';
import { lingerOnClose } from './lingering-close.ts';
import { readRequest } from './readable-request.ts';
import { endInTurn, inTurn, refuseInTurn } from './request-turns.ts';
import { breakOff, refuse } from './write-refusal.ts';

export interface HttpFront {
  readonly port: number;
  /** Stop accepting connections; resolves when all responses in progress are complete. */
  drain(): Promise<void>;
  /** Close every connection. */
  close(): Promise<void>;
}

/** Address of the runtime. */
type WorkerAddress = { readonly port: number } | { readonly socketPath: string };

/** One hour, like the platform's edge. */
const KEEP_ALIVE_MS = 3_600_000;
/** Time to receive all headers of a request. */
const HEADERS_LIMIT_MS = 60_000;
/** The limit of the runtime. */
const MAX_HEADER_BYTES = 65_536;
/** Most bytes read from a body that the Worker did not read; equal to the Worker's own limit. */
const MAX_DRAINED_BYTES = 33_554_432;
const DRAIN_LIMIT_MS = 30_000;
/** Headers that are not forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
]);
/** Headers of the runtime that are not sent: Node frames the response for the version of the client. */
const FRAMING = /^transfer-encoding$/;
/** Safe methods (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** @param port 0 for any free port @throws Error if the port is not available */
export async function openHttpFront(
  port: number,
  worker: WorkerAddress,
  host = '127.0.0.1',
): Promise<HttpFront> {
  let closed: Promise<void> | undefined;
  const running = new Set<ServerResponse>();
  const handle = inTurn((incoming, outgoing) => {
    running.add(outgoing);
    outgoing.once('close', () => {
      running.delete(outgoing);
      if (closed) setImmediate(() => server.closeIdleConnections());
    });
    forward(incoming, outgoing, worker);
  });
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The Worker rejects slow bodies itself.
      requestTimeout: 0,
      headersTimeout: HEADERS_LIMIT_MS,
      noDelay: true,
      // `readRequest` rejects a missing Host like an invalid one.
      requireHostHeader: false,
    },
    handle,
  );
  // Node would silently drop headers beyond its default limit.
  server.maxHeadersCount = 0;
  // Expectations other than 100-continue are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  server.on('connect', (_, socket) =>
    refuseInTurn(new Error('CONNECT is not supported.'), socket as Socket),
  );
  // A client may close its side after the request and still gets a response (RFC 9112, section 9.6).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('clientError', (error, socket) => refuseInTurn(error, socket as Socket));
  server.on('connection', (socket) => {
    lingerOnClose(socket);
    socket.once('end', () => endInTurn(socket));
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, done);
  });
  const drain = () => {
    closed ??= new Promise<void>((done) => void server.close(() => done()));
    server.closeIdleConnections();
    return closed;
  };
  return {
    port: (server.address() as AddressInfo).port,
    drain,
    close: () => {
      const all = drain();
      for (const outgoing of running) breakOff(outgoing);
      server.closeAllConnections();
      return all;
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, worker: WorkerAddress): void {
  // The Worker decides whether to send Date.
  outgoing.sendDate = false;
  // HTTP/1.0 clients do not support chunked encoding, even if they send TE: chunked (RFC 9112, section 6.1).
  if (incoming.httpVersion === '1.0') outgoing.useChunkedEncodingByDefault = false;
  const read = readRequest(incoming);
  if ('fault' in read) {
    refuse(outgoing, badRequest('bad_request', read.fault));
    drainBody(incoming);
    return;
  }
  const onward = request({
    host: '127.0.0.1',
    ...worker,
    agent: false,
    method: read.method,
    path: read.path,
    headers: requestHeaders(incoming, read.host) as unknown as Record<string, string>,
    setHost: false,
  });
  onward.on('response', (answer) => {
    const headers = forwardedHeaders(answer.rawHeaders, FRAMING);
    // The client of a request that timed out may never stop sending.
    if (answer.statusCode === 408) outgoing.shouldKeepAlive = false;
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers);
    answer.pipe(outgoing);
    // A truncated response must not look complete.
    answer.on('error', () => breakOff(outgoing));
  });
  let isConnected = false;
  onward.on('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true;
    }),
  );
  onward.on('error', () => {
    // The runtime may have executed the request before it ended.
    const isUnknown = isConnected && !SAFE.has(read.method);
    if (!outgoing.headersSent)
      refuse(outgoing, isUnknown ? new ApiError('outcome_unknown') : new ApiError('unavailable'));
    // A complete response stays valid even if the Worker stopped reading the request.
    else if (!outgoing.writableEnded) breakOff(outgoing);
  });
  // If the client disconnects, stop the request to the runtime.
  incoming.on('error', () => onward.destroy());
  outgoing.on('close', () => onward.destroy());
  // Drain the rest of the body, so that the next request on the connection can be read.
  onward.on('close', () => drainBody(incoming.unpipe(onward)));
  incoming.pipe(onward);
}

/** Headers for the runtime. The client's address comes from the socket, never from its own headers. */
const requestHeaders = ({ rawHeaders, socket }: IncomingMessage, host: string): string[] => [
  ...forwardedHeaders(rawHeaders, RUNTIME_HEADERS),
  'host',
  host,
  'cf-connecting-ip',
  socket.remoteAddress ?? '',
];
/** Host, and headers that are reserved for the runtime: it fails if a client sends them. */
const RUNTIME_HEADERS = /^(host|cf-connecting-ip|mf-.*)$/;

/** Read and discard the rest of a body, within limits. Beyond them, close the connection. */
function drainBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  const { socket } = incoming;
  let left = MAX_DRAINED_BYTES;
  const count = (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) end();
  };
  const end = () => {
    incoming.off('data', count);
    socket.destroySoon();
  };
  const timer = setTimeout(end, DRAIN_LIMIT_MS);
  incoming.once('close', () => clearTimeout(timer));
  incoming.on('data', count).resume();
}

/** Raw headers without the hop-by-hop headers: alternating names and values. */
function forwardedHeaders(raw: readonly string[], without: RegExp): string[] {
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const isForwarded = !HOP_BY_HOP.has(name.toLowerCase()) && !without.test(name.toLowerCase());
    if (isForwarded) kept.push(name, raw[i + 1] as string);
  }
  return kept;
}
