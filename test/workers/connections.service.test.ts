// Connections that clients keep alive: after any refusal, the next request on the same connection is
// answered. If a server answers before it has read the whole request, it must close the connection, and
// the client may see a reset instead of the answer.

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { closeConnections, jsonOf, sendHttp } from '../support/http-client.ts';
import { type BodyTaker, bodyTakers } from '../support/openapi.ts';
import { openConnection, type RawConnection } from '../support/raw-connection.ts';
import { type Service, startService } from '../support/service.ts';

/** More than a runtime reads on its own, and more than buffers on the way hold. */
const LARGE = 5_000_000;
const PIECE = 60_000;

let service: Service;
let token: string;
let takers: readonly BodyTaker[];
const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const head = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  `${method} ${path} HTTP/1.1\r\nhost: leadline.test\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const bearer = () => ({ authorization: `Bearer ${token}` });
const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

type Framing = 'content-length' | 'chunked';
const FRAMINGS: readonly Framing[] = ['content-length', 'chunked'];
const framed = (framing: Framing, size: number): Record<string, string> =>
  framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': `${size}` };
/** A body of x, in pieces with the given framing. */
function* bodyOf(framing: Framing, size: number): Generator<string> {
  for (let sent = 0; sent < size; sent += PIECE) {
    const piece = Math.min(PIECE, size - sent);
    yield framing === 'chunked' ? chunk(piece) : 'x'.repeat(piece);
  }
  if (framing === 'chunked') yield '0\r\n\r\n';
}

/** Runs the work, then checks that the connection is still usable. */
async function onConnection(work: (connection: RawConnection) => Promise<void>): Promise<void> {
  const connection = await openConnection(service.port);
  try {
    await work(connection);
    await connection.send(head('GET', '/healthz'));
    expect((await connection.answer()).status).toBe(200);
    expect(connection.ended).toBeUndefined();
  } finally {
    connection.close();
  }
}

/** Sends a request with a large body, and reads the refusal. */
async function refused(
  connection: RawConnection,
  [method, path]: readonly [string, string],
  framing: Framing,
  headers: Readonly<Record<string, string>>,
  size = LARGE,
): Promise<number> {
  await connection.send(head(method, path, { ...headers, ...framed(framing, size) }));
  for (const piece of bodyOf(framing, size)) await connection.send(piece);
  const answer = await connection.answer();
  expect(JSON.parse(answer.body)).toMatchObject({ status: answer.status });
  return answer.status;
}

describe.each([
  ['the runtime itself', true],
  ['the local service', false],
])('%s', (_, isDirect) => {
  beforeAll(async () => {
    service = await startService({
      isAlone: false,
      charts: inject('demoCharts'),
      assetsDir: inject('assets'),
      isDirect,
    });
    token = await service.token();
    takers = bodyTakers(jsonOf(await sendHttp(service.port, '/openapi.json')), ID);
  });
  afterAll(async () => {
    closeConnections();
    await service?.stop();
  });

  describe.each(FRAMINGS)('a large body by %s', (framing) => {
    test('a request without a token is 401 at every endpoint with a body, and the next request is answered', async () => {
      expect(takers.length).toBeGreaterThan(5);
      await onConnection(async (connection) => {
        for (const [method, path, needsToken] of takers) {
          if (!needsToken) continue;
          const status = await refused(connection, [method, path], framing, {});
          expect([method, path, status]).toEqual([method, path, 401]);
        }
      });
    });

    test('a body above the limit is 413 at every endpoint with a body, and the next request is answered', async () => {
      await onConnection(async (connection) => {
        for (const [method, path] of takers) {
          const size = path.endsWith('/bathymetry') ? 4 * LARGE : LARGE;
          const query = path.includes('/routing/') ? `?token=${token}` : '';
          const status = await refused(connection, [method, path + query], framing, bearer(), size);
          expect([path, status]).toEqual([path, 413]);
        }
      });
    });

    test.each([
      ['an unknown path', 'POST', '/nothing', 404],
      ['an unknown path below /api', 'PUT', '/api/v9/nothing', 404],
      ['a method that the path does not allow', 'POST', '/api/v1/datasets/attributions', 405],
      ['a file', 'POST', '/index.html', 405],
      ['a read that has a body', 'GET', '/api/v2/tiles/enc-v2/0/0/0.mvt', 401],
      ['a deletion that has a body', 'DELETE', `/api/v1/user-reports/${ID}`, 401],
    ])('to %s is refused, and the next request is answered', async (_, method, path, status) => {
      await onConnection(async (connection) => {
        expect(await refused(connection, [method, path], framing, {})).toBe(status);
      });
    });

    test('does not change the response when sent with a GET for a compressed tile', async () => {
      const path = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
      const packed = { ...bearer(), 'accept-encoding': 'gzip' };
      const alone = await sendHttp(service.port, path, { headers: packed });
      expect(alone.headers['content-encoding']).toBe('gzip');
      await onConnection(async (connection) => {
        await connection.send(head('GET', path, { ...packed, ...framed(framing, LARGE) }));
        for (const piece of bodyOf(framing, LARGE)) await connection.send(piece);
        const answer = await connection.answer();
        expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip']);
        expect(answer.body).toBe(new TextDecoder().decode(alone.body));
      });
    });

    test('is refused before all of it has arrived, and the rest may still arrive', async () => {
      await onConnection(async (connection) => {
        const headers = { ...bearer(), ...framed(framing, LARGE) };
        await connection.send(head('POST', '/api/v1/enc_query', headers));
        const pieces = [...bodyOf(framing, LARGE)];
        await connection.send(pieces[0]!);
        // A client that reads while it sends now has the answer. It sends the rest of the announced
        // body.
        expect((await connection.answer()).status).toBe(413);
        for (const piece of pieces.slice(1)) await connection.send(piece);
      });
    });

    test.each(['HEAD', 'OPTIONS'])(
      'to %s is read, and the next request is answered',
      async (method) => {
        await onConnection(async (connection) => {
          for (const path of ['/api/v1/datasets/attributions', '/index.html', '/healthz']) {
            await connection.send(head(method, path, framed(framing, LARGE)));
            for (const piece of bodyOf(framing, LARGE)) await connection.send(piece);
            const { status } = await connection.answer(method === 'HEAD' ? 'HEAD' : undefined);
            expect([path, status]).toEqual([path, method === 'HEAD' ? 200 : 204]);
          }
        });
      },
    );

    test('in each of ten pipelined requests is refused in order', async () => {
      const requests = Array.from({ length: 10 }, (_, i) => {
        const path = i % 2 === 0 ? '/nothing' : '/api/v1/enc_query';
        return (
          head('POST', path, framed(framing, 200_000)) + [...bodyOf(framing, 200_000)].join('')
        );
      });
      await onConnection(async (connection) => {
        const sent = connection.send(requests.join(''));
        for (let i = 0; i < requests.length; i++) {
          expect((await connection.answer()).status).toBe(i % 2 === 0 ? 404 : 401);
        }
        await sent;
      });
    });

    test('that is cut off affects no other request, and is not a fault', async () => {
      await onConnection(async (other) => {
        const faults = () =>
          service.log.filter((line) => /"level":"error"|Error|exception/i.test(line));
        const before = faults().length;
        for (let i = 0; i < 10; i++) {
          const leaver = await openConnection(service.port);
          await leaver.send(head('POST', '/nothing', framed(framing, LARGE)));
          for (const piece of [...bodyOf(framing, LARGE)].slice(0, 1 + 3 * i))
            await leaver.send(piece);
          leaver.close();
          await other.send(head('GET', '/healthz'));
          expect((await other.answer()).status).toBe(200);
        }
        expect(faults().slice(before)).toEqual([]);
      });
    });
  });

  test('ignores invalid bytes after a request, which keeps its answer', async () => {
    for (const rest of ['{}', '\r\n\r\n\x00', 'GET / HTTP/9.9\r\n\r\n']) {
      const connection = await openConnection(service.port);
      await connection.send(head('DELETE', `/api/v1/user-reports/${ID}`) + rest);
      expect([rest, (await connection.answer()).status]).toEqual([rest, 401]);
      connection.close();
    }
  });

  test('answers a client that closes its side after the request, and then ends the connection', async () => {
    const posted = '{"position":{"longitude":-19.99,"latitude":-30.01},"radius":500,"zoom":14}';
    const length = { ...bearer(), 'content-length': `${posted.length}` };
    const asked: readonly (readonly [string, readonly number[]])[] = [
      [head('GET', '/healthz'), [200]],
      [head('GET', '/api/v2/tiles/enc-v2/14/7282/9623.mvt', bearer()), [200]],
      [head('POST', '/api/v1/enc_query', length) + posted, [200]],
      [head('GET', '/nothing') + head('GET', '/docs') + head('GET', '/healthz'), [404, 200, 200]],
      [`${head('GET', '/healthz')}GET /docs HT`, [200]],
      // An incomplete body is an error.
      [head('POST', '/api/v1/enc_query', length) + posted.slice(0, 9), [400]],
    ];
    for (const [text, statuses] of asked) {
      const connection = await openConnection(service.port);
      await connection.send(text);
      connection.finish();
      for (const status of statuses) {
        expect([text.slice(0, 60), (await connection.answer()).status]).toEqual([
          text.slice(0, 60),
          status,
        ]);
      }
      await vi.waitFor(() => expect(connection.ended).toBe('closed'), 30_000);
      connection.close();
    }
  });

  test('answers pipelined requests in order, and performs their writes in that order', async () => {
    await onConnection(async (connection) => {
      const paths = [
        '/healthz',
        '/nothing',
        '/index.html',
        '/api/v1/datasets/attributions',
        '/docs',
      ];
      const expected = Array.from({ length: 40 }, (_, i) => paths[i % paths.length]!);
      await connection.send(expected.map((path) => head('GET', path)).join(''));
      const seen: number[] = [];
      for (const _ of expected) seen.push((await connection.answer()).status);
      expect(seen).toEqual(expected.map((path) => (path === '/nothing' ? 404 : 200)));
    });
  });

  test('a client that disconnects in the middle of a long answer affects no other client', async () => {
    await onConnection(async (other) => {
      for (let i = 0; i < 10; i++) {
        const leaver = await openConnection(service.port);
        const path = '/api/v2/tiles/data-geojson-v1/12/1820/2405.json';
        await leaver.send(head('GET', path, bearer()).repeat(20));
        await leaver.answer();
        leaver.close();
        await other.send(head('GET', '/healthz'));
        expect((await other.answer()).status).toBe(200);
      }
    });
  });

  if (!isDirect) {
    test('sends a keep-alive time much longer than that of the runtime itself', async () => {
      await onConnection(async (connection) => {
        await connection.send(head('GET', '/healthz'));
        const seconds = /timeout=(\d+)/.exec(
          (await connection.answer()).headers['keep-alive'] ?? '',
        );
        expect(Number(seconds?.[1])).toBeGreaterThan(60);
      });
    });
  }
});
