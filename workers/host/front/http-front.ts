// Clients' connections, before the Worker on this machine, as the platform's edge is before it there.
// The runtime fails (500) at much that HTTP has not, takes for framing what others do not, and ends a
// connection five seconds after it has handed the last bytes to the system: to a client that was still
// reading a long answer, that is a reset in the middle of its next request. So clients talk to this, and
// it talks to the runtime by a connection for each request, which is not used again.

import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { badRequest, outcomeUnknown, unavailable } from '../../service/runtime/errors.ts';
import { lingerOnClose } from './lingering-close.ts';
import { readRequest } from './readable-request.ts';
import { endInTurn, inTurn, refuseInTurn } from './request-turns.ts';
import { refuse } from './write-refusal.ts';

export interface HttpFront {
  readonly port: number;
  /** Takes no new connections; settled when the answers under way have ended. */
  drain(): Promise<void>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Where the runtime answers on this machine. */
type WorkerPlace = { readonly port: number } | { readonly socketPath: string };

/** As the platform's edge: an hour, which no client waits out. */
const KEEP_ALIVE_MS = 3_600_000;
/** Until all headers of a request are there. */
const HEADERS_LIMIT_MS = 60_000;
/** As large as the runtime takes them. */
const MAX_HEADER_BYTES = 65_536;
/** Of a body that the Worker did not read to its end, as much again as the Worker reads of one. */
const MAX_DRAINED_BYTES = 33_554_432;
const REST_LIMIT_MS = 30_000;
const NO_HEADERS = /^$/;
/** Of one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
]);
/** That ask for nothing to be done (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** @param port 0 for any that is free @throws Error where the port cannot be had */
export async function openHttpFront(
  port: number,
  worker: WorkerPlace,
  host = '127.0.0.1',
): Promise<HttpFront> {
  let closed: Promise<void> | undefined;
  const handle = inTurn((incoming, outgoing) => {
    outgoing.once('close', () => closed && setImmediate(() => server.closeIdleConnections()));
    pass(incoming, outgoing, worker);
  });
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Bodies that come slowly are the Worker's to refuse.
      requestTimeout: 0,
      headersTimeout: HEADERS_LIMIT_MS,
      noDelay: true,
      // Refused as every host that is none.
      requireHostHeader: false,
    },
    handle,
  );
  // Those beyond the library's own limit would be left out without a word.
  server.maxHeadersCount = 0;
  // Any expectation but 100-continue means nothing to us (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  server.on('connect', (_, socket) =>
    refuseInTurn(new Error('There is nothing to connect to.'), socket as Socket),
  );
  // A client that has said all may close its side (RFC 9112, section 9.6), and is answered all the same.
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
      server.closeAllConnections();
      return all;
    },
  };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, worker: WorkerPlace): void {
  // The Worker dates its answers or does not.
  outgoing.sendDate = false;
  const asked = readRequest(incoming);
  if ('fault' in asked) {
    refuse(outgoing, badRequest('bad_request', asked.fault));
    readRest(incoming);
    return;
  }
  const onward = request({
    host: '127.0.0.1',
    ...worker,
    agent: false,
    method: asked.method,
    path: asked.path,
    headers: requestHeaders(incoming, asked.host) as unknown as Record<string, string>,
    setHost: false,
  });
  onward.on('response', (answer) => {
    const headers = throughHeaders(answer.rawHeaders);
    // Its client may go on sending for ever.
    if (answer.statusCode === 408) outgoing.shouldKeepAlive = false;
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers);
    answer.pipe(outgoing);
    // An answer that breaks off must not look whole.
    answer.on('error', () => outgoing.destroy());
  });
  let isBegun = false;
  onward.on('socket', (socket) =>
    socket.once('connect', () => {
      isBegun = true;
    }),
  );
  onward.on('error', () => {
    // What reached the runtime may have been carried out before it ended.
    const isUnknown = isBegun && !SAFE.has(asked.method);
    if (!outgoing.headersSent) refuse(outgoing, isUnknown ? outcomeUnknown() : unavailable());
    // What was answered whole stays answered, though the Worker listens no longer.
    else if (!outgoing.writableEnded) outgoing.destroy();
  });
  // Whoever leaves is waited for no longer.
  incoming.on('error', () => onward.destroy());
  outgoing.on('close', () => onward.destroy());
  // Whatever the Worker has left of a body is read, or nothing after it would be.
  onward.on('close', () => readRest(incoming.unpipe(onward)));
  incoming.pipe(onward);
}

/** Who asks is what the socket says: what the platform would write there, clients may not. */
const requestHeaders = ({ rawHeaders, socket }: IncomingMessage, host: string): string[] => [
  ...throughHeaders(rawHeaders, RUNTIME_HEADERS),
  'host',
  host,
  'cf-connecting-ip',
  socket.remoteAddress ?? '',
];
/** Beside the host, those that the runtime itself reads, and fails at where they are not its own. */
const RUNTIME_HEADERS = /^(host|cf-connecting-ip|mf-.*)$/;

/** Reads what a client still sends, within bounds; then its connection ends. */
function readRest(incoming: IncomingMessage): void {
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
  const timer = setTimeout(end, REST_LIMIT_MS);
  incoming.once('close', () => clearTimeout(timer));
  incoming.on('data', count).resume();
}

/** Names and values in turn, as they came, but for those of one connection. */
function throughHeaders(raw: readonly string[], without = NO_HEADERS): string[] {
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const isThrough = !HOP_BY_HOP.has(name.toLowerCase()) && !without.test(name.toLowerCase());
    if (isThrough) kept.push(name, raw[i + 1] as string);
  }
  return kept;
}
