// Clients' connections, kept alive for long, before the Worker on this machine. The runtime ends a
// connection five seconds after it has handed the last bytes to the system. To a client that was still
// reading a long answer, or had other things to do, that is a reset in the middle of its next request;
// the platform's own edge waits for minutes. So clients talk to this, and it talks to the runtime by a
// connection for each request, which is not used again.

import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { RefusalCode } from '../runtime/refusals.ts';
import { readRequest } from './readable-request.ts';
import { endInTurn, inTurn, refuseInTurn } from './request-turns.ts';

interface HttpFront {
  readonly port: number;
  close(): Promise<void>;
}

/** As the platform's edge: an hour, which no client waits out. */
const KEEP_ALIVE_MS = 3_600_000;
/** Until all headers of a request are there. */
const HEADERS_LIMIT_MS = 60_000;
/** As large as the runtime takes them. */
const MAX_HEADER_BYTES = 65_536;
/** Of a body that the Worker did not read to its end, as much again as the Worker reads of one. */
const MAX_REST_BYTES = 33_554_432;
const REST_LIMIT_MS = 30_000;
const NO_HEADERS = /^$/;
/** Of one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);

/** @param port 0 for any that is free @param workerPort where the runtime answers on this machine */
export async function openHttpFront(port: number, workerPort: number): Promise<HttpFront> {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Bodies that come slowly are the Worker's to refuse.
      requestTimeout: 0,
      headersTimeout: HEADERS_LIMIT_MS,
      noDelay: true,
    },
    inTurn((incoming, outgoing) => pass(incoming, outgoing, workerPort)),
  );
  // A client that has said all may close its side (RFC 9112, section 9.6), and is answered all the same.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on('clientError', (error, socket) => refuseInTurn(error, socket as Socket));
  server.on('connection', (socket) => socket.once('end', () => endInTurn(socket)));
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, workerPort: number): void {
  // The Worker dates its answers or does not.
  outgoing.sendDate = false;
  const asked = readRequest(incoming);
  if ('fault' in asked) {
    refuse(outgoing, 400, 'bad_request', asked.fault);
    readRest(incoming);
    return;
  }
  const onward = request({
    host: '127.0.0.1',
    port: workerPort,
    agent: false,
    method: incoming.method ?? 'GET',
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
  onward.on('error', () => {
    if (!outgoing.headersSent) {
      refuse(outgoing, 503, 'unavailable', 'The service is starting or stopping; try again.');
    }
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
  let left = MAX_REST_BYTES;
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

function refuse(outgoing: ServerResponse, status: 400 | 503, code: RefusalCode, text: string) {
  outgoing.writeHead(status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(status === 503 ? { 'retry-after': '2' } : {}),
    'access-control-allow-origin': '*',
  });
  const title = status === 503 ? 'Service unavailable' : 'Bad request';
  const body = { type: `/docs#${code}`, title, status, detail: text, code, error: text };
  outgoing.end(JSON.stringify(body));
}
