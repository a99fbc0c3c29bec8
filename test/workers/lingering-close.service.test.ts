// Refused uploads on connections that close after the response, as proxies request: the client reads the
// complete response, whether it reads during or after the upload.

import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HttpFront, openHttpFront } from '../../workers/host/front/http-front.ts';
import { lingerOnClose } from '../../workers/host/front/lingering-close.ts';
import { listen } from '../support/listen.ts';
import { hasNginx, type Nginx, startNginx } from '../support/nginx.ts';

const REFUSAL = '{"code":"too_large"}';
const PIECE = 65_536;

let runtime: Server;
let front: HttpFront;
let asked = 0;

beforeAll(async () => {
  // Refuses after the headers, like the Worker.
  runtime = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      asked++;
      const head = `HTTP/1.1 413 Content Too Large\r\ncontent-length: ${REFUSAL.length}`;
      socket.end(`${head}\r\nconnection: close\r\n\r\n${REFUSAL}`);
      socket.resume();
    });
  });
  front = await openHttpFront(0, { port: await listen(runtime) });
});
afterAll(async () => {
  await front?.close();
  await new Promise((done) => runtime.close(done));
});

interface Upload {
  readonly size: number;
  readonly isChunked: boolean;
  /** If true, the client reads nothing until it has sent everything. */
  readonly readsLate: boolean;
  readonly head?: string;
  /** Bytes instead of the end of a chunked body. */
  readonly end?: string;
}

/** Status and end of the connection, such as `413 whole`, or the error of the client. */
function upload(port: number, { size, isChunked, readsLate, head, end }: Upload): Promise<string> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let error = '';
    const read = () =>
      socket.on('data', (piece) => {
        answer += piece;
      });
    const piecesOf = function* () {
      for (let sent = 0; sent < size; sent += PIECE) {
        const piece = 'x'.repeat(Math.min(PIECE, size - sent));
        yield isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece;
      }
      if (isChunked) yield end ?? '0\r\n\r\n';
    };
    const pieces = piecesOf();
    const send = () => {
      for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
        if (!socket.write(next.value)) return void socket.once('drain', send);
      }
      if (readsLate) socket.write('', read);
    };
    socket.on('error', (fault: NodeJS.ErrnoException) => {
      error = fault.code ?? fault.message;
    });
    socket.on('close', () => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'no answer';
      const isWhole = answer.includes('"code":') && answer.endsWith('}');
      done(error === '' ? `${status} ${isWhole ? 'whole' : 'cut'}` : error);
    });
    if (!readsLate) read();
    const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${size}`;
    const first = head ?? 'POST /x HTTP/1.1\r\nhost: a.test\r\nconnection: close';
    socket.write(`${first}\r\n${framing}\r\n\r\n`);
    send();
  });
}

const WAYS = [false, true].flatMap((isChunked) =>
  [false, true].map((readsLate) => ({ isChunked, readsLate })),
);
/** Below and above the buffer sizes of the systems between client and server. */
const SIZES = [1000, 300_000, 2_700_000, 5_000_000, 14_000_000, 20_000_000];

describe.each(WAYS)('a refused upload (%o)', (way) => {
  it('receives its complete response on a connection that closes', async () => {
    for (const size of SIZES) {
      expect([size, await upload(front.port, { ...way, size })]).toEqual([size, '413 whole']);
    }
  });

  it('receives its complete response with HTTP/1.0', async () => {
    if (way.isChunked) return;
    const head = 'POST /x HTTP/1.0\r\nhost: a.test';
    for (const size of SIZES) {
      const ended = await upload(front.port, { ...way, size, head });
      expect([size, ended]).toEqual([size, '413 whole']);
    }
  });

  it('receives its complete response from the front itself', async () => {
    const head = 'POST /x HTTP/1.1\r\nhost: no host\r\nconnection: close';
    for (const size of SIZES) {
      const ended = await upload(front.port, { ...way, size, head });
      expect([size, ended]).toEqual([size, '400 whole']);
    }
  });

  it('receives its complete response if it is not an HTTP request', async () => {
    const head = 'POST /x HTTP/1.1\r\nhost : a.test';
    for (const size of SIZES) {
      const ended = await upload(front.port, { ...way, size, head });
      expect([size, ended]).toEqual([size, '400 whole']);
    }
  });
});

it('ignores requests after one that closes the connection', async () => {
  const before = asked;
  const next = 'POST /second HTTP/1.1\r\nhost: a.test\r\ncontent-length: 1\r\n\r\nx';
  const wanted = { size: 3_000_000, isChunked: true, readsLate: false, end: `0\r\n\r\n${next}` };
  expect(await upload(front.port, wanted)).toBe('413 whole');
  expect(asked - before).toBe(1);
});

it('ends a silent connection five seconds after the answer, and keeps one that still sends', async () => {
  const ended: string[] = [];
  const closing = createServer({ allowHalfOpen: true }, (socket) => {
    lingerOnClose(socket);
    socket.once('data', (name) => {
      socket.once('close', () => ended.push(String(name)));
      socket.destroySoon();
    });
  });
  const port = await listen(closing);
  const open = (name: string): Socket => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(name);
    return socket;
  };
  const sockets = [open('silent'), open('sending')];
  const sending = setInterval(() => sockets[1]!.write('.'), 500);
  const from = performance.now();
  await vi.waitUntil(() => ended.length > 0, { timeout: 25_000 });
  clearInterval(sending);
  expect(performance.now() - from).toBeGreaterThan(4900);
  expect(ended).toEqual(['silent']);
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => closing.close(done));
});

describe.runIf(hasNginx).each([
  ['behind nginx, configured as in the guide', undefined],
  ['behind nginx that asks to close each connection', /proxy_set_header Connection "";/],
])('%s', (_, without) => {
  let nginx: Nginx;
  beforeAll(async () => {
    nginx = await startNginx(front.port, without);
  });
  afterAll(() => nginx?.stop());

  it('receives 24 complete responses', async () => {
    const ends = new Map<string, number>();
    for (let i = 0; i < 24; i++) {
      const size = 2_600_000 + 600_000 * i;
      const ended = await upload(nginx.port, { ...WAYS[i % WAYS.length]!, size });
      ends.set(ended, (ends.get(ended) ?? 0) + 1);
    }
    expect(Object.fromEntries(ends)).toEqual({ '413 whole': 24 });
  });
});
