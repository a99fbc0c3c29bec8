// Requests that the runtime does not answer: the response must not report a refusal if the write may
// have been carried out.

import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type HttpFront, openHttpFront } from '../../workers/host/front/http-front.ts';
import { jsonOf, sendHttp } from '../support/http-client.ts';
import { listen } from '../support/listen.ts';

let front: HttpFront | undefined;
let runtime: Server | undefined;
afterEach(async () => {
  await front?.close();
  await new Promise<void>((done) => (runtime ? runtime.close(() => done()) : done()));
  front = undefined;
  runtime = undefined;
});

async function runtimeThat(does: (socket: Socket) => void): Promise<number> {
  runtime = createServer(does);
  return listen(runtime);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;

async function codes(port: number) {
  const all: Record<string, unknown> = {};
  for (const method of METHODS) {
    const body = method === 'POST' || method === 'PUT' ? '{"a":1}' : undefined;
    const answer = await sendHttp(port, '/x', { method, ...(body === undefined ? {} : { body }) });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    all[method] = method === 'HEAD' ? '' : jsonOf(answer).code;
  }
  return all;
}

test('if the runtime dies before it answers, the outcome of a write is unknown', async () => {
  const port = await runtimeThat((socket) => socket.once('data', () => socket.destroy()));
  front = await openHttpFront(0, { port });
  expect(await codes(front.port)).toEqual({
    GET: 'unavailable',
    HEAD: '',
    POST: 'outcome_unknown',
    PUT: 'outcome_unknown',
    DELETE: 'outcome_unknown',
  });
});

test('if the runtime does not run, a write is refused', async () => {
  const port = await runtimeThat(() => undefined);
  await new Promise((done) => runtime?.close(done));
  runtime = undefined;
  front = await openHttpFront(0, { port });
  expect(await codes(front.port)).toEqual({
    GET: 'unavailable',
    HEAD: '',
    POST: 'unavailable',
    PUT: 'unavailable',
    DELETE: 'unavailable',
  });
});

test('an answer that breaks off in the runtime does not look complete to its client', async () => {
  const port = await runtimeThat((socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly a part'),
    ),
  );
  front = await openHttpFront(0, { port });
  await expect(sendHttp(front.port, '/x')).rejects.toThrow();
});

/** Everything that the front sends until the connection ends, and how it ends. */
function received(port: number, request: string): Promise<{ text: string; end: string }> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let [text, end] = ['', 'closed'];
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end = error.code ?? error.message;
    });
    socket.on('close', () => done({ text, end }));
  });
}

describe('a client with HTTP/1.0', () => {
  const CHUNK = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\nhello\n\r\n';
  let seen = '';
  const frontFor = async (answer: (socket: Socket) => void) => {
    const port = await runtimeThat((socket) =>
      socket.once('data', (piece) => {
        seen = String(piece);
        answer(socket);
      }),
    );
    front = await openHttpFront(0, { port });
    return front.port;
  };

  test('needs no Host header', async () => {
    const port = await frontFor((socket) => socket.end(`${CHUNK}0\r\n\r\n`));
    const { text } = await received(port, 'GET /healthz HTTP/1.0\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(seen).toMatch(/^host: localhost\r$/m);
    const empty = await received(port, 'GET /healthz HTTP/1.0\r\nhost:\r\n\r\n');
    expect(empty.text).toMatch(/^HTTP\/1\.1 400/);
  });

  test.each(['', 'te: chunked\r\n', 'connection: keep-alive\r\n'])(
    'receives a body of unknown length without chunks, up to the end of the connection (%j)',
    async (header) => {
      const port = await frontFor((socket) => socket.end(`${CHUNK}0\r\n\r\n`));
      const request = `GET /x HTTP/1.0\r\nhost: a.test\r\n${header}\r\n`;
      const { text, end } = await received(port, request);
      const [head, body] = text.split('\r\n\r\n');
      expect(head).not.toMatch(/transfer-encoding/i);
      expect([body, end]).toEqual(['hello\n', 'closed']);
    },
  );

  test.each([
    ['the runtime ends', (socket: Socket) => socket.write(CHUNK, () => socket.destroy())],
    [
      'the front closes',
      (socket: Socket) => socket.write(CHUNK, () => setTimeout(() => front?.close(), 200)),
    ],
  ])('gets a reset instead of the end of a truncated body if %s', async (_, answer) => {
    const port = await frontFor(answer);
    const { end } = await received(port, 'GET /x HTTP/1.0\r\nhost: a.test\r\n\r\n');
    expect(end).toBe('ECONNRESET');
  });

  test('is not mistaken for one with HTTP/1.1, which receives chunks', async () => {
    const port = await frontFor((socket) => socket.end(`${CHUNK}0\r\n\r\n`));
    const request = 'GET /x HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n';
    const { text } = await received(port, request);
    expect(text.match(/transfer-encoding: chunked/gi)).toHaveLength(1);
    expect(text).toContain('\r\n\r\n6\r\nhello\n\r\n0\r\n\r\n');
  });
});

test('a draining front ends when all pending answers are complete', async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((seen) => {
    void runtimeThat((socket) =>
      socket.once('data', () => {
        answer = () => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        seen();
      }),
    ).then(async (port) => {
      front = await openHttpFront(0, { port });
      pending = sendHttp(front.port, '/x');
    });
  });
  let pending: ReturnType<typeof sendHttp> | undefined;
  await asked;
  const drained = front?.drain();
  answer();
  expect((await pending)?.body.toString()).toBe('ok');
  await drained;
});

test('a refusal by the front is in the log, without the query', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const port = await runtimeThat(() => undefined);
    front = await openHttpFront(0, { port });
    const headers = { host: 'no host' };
    const refused = await sendHttp(front.port, '/tiles?token=abc', { method: 'GET', headers });
    expect(refused.status).toBe(400);
    const line = JSON.parse(printed.mock.calls[0]?.[0] as string) as Record<string, unknown>;
    expect(line).toMatchObject({ kind: 'request', method: 'GET', path: '/tiles', status: 400 });
    expect(line['requestId']).toBe(refused.headers['x-request-id']);
  } finally {
    printed.mockRestore();
  }
});
