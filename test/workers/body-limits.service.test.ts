// Bodies that are larger than their Content-Length, larger than the limit, or costly for their size
// are rejected while they are received.

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openConnection, type RawConnection } from '../support/raw-connection.ts';
import { type Service, startService } from '../support/service.ts';

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const VOTES = `/api/v1/user-reports/${ID}/votes`;
const SOUNDINGS = '/api/v1/user-reports/bathymetry';
const PIECE = 'x'.repeat(65_536);
/** Maximum number of bytes read of a rejected body, plus the same number in buffers. */
const READ_AT_MOST = 2 * 33_554_432;

let service: Service;
let token: string;

const head = (path: string, headers: Readonly<Record<string, string>>) =>
  `POST ${path} HTTP/1.1\r\nhost: leadline.test\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKED = { 'transfer-encoding': 'chunked' };

/** Sends pieces until the other side ends the connection. @returns how many bytes it took */
async function sendForEver(connection: RawConnection, most: number): Promise<number> {
  let sent = 0;
  for (; connection.ended === undefined && sent < most; sent += PIECE.length) {
    try {
      await connection.send(chunk(PIECE));
    } catch {
      break;
    }
  }
  return sent;
}

describe.each([
  ['the runtime itself', true],
  ['the service of this machine', false],
])('%s', (_, isDirect) => {
  beforeAll(async () => {
    service = await startService({ charts: inject('demoCharts'), isDirect, isAlone: false });
    token = await service.token();
  });
  afterAll(async () => {
    await service?.stop();
  });
  const bearer = () => ({ authorization: `Bearer ${token}` });

  async function answerTo(
    request: string,
    pieces: readonly string[],
  ): Promise<readonly [status: number, code: string | undefined]> {
    const connection = await openConnection(service.port);
    try {
      await connection.send(request);
      for (const piece of pieces) await connection.send(piece);
      const { status, body } = await connection.answer();
      return [status, (JSON.parse(body || '{}') as { code?: string }).code];
    } finally {
      connection.close();
    }
  }

  if (isDirect) {
    test.each([
      ['a vote', VOTES, 'body_too_large'],
      ['a route', '/api/v1/routing/route', 'body_too_large'],
      ['soundings', SOUNDINGS, 'body_too_large'],
    ])(
      '%s that says Content-Length: 5 and comes in chunks is counted as it comes',
      async (_, path, code) => {
        const headers = { ...bearer(), 'content-length': '5', ...CHUNKED };
        const pieces = Array.from({ length: 80 }, () => chunk(PIECE));
        const text = path === SOUNDINGS ? chunk('{"x":"') : '';
        // Its end never comes.
        expect(await answerTo(head(`${path}?token=${token}`, headers), [text, ...pieces])).toEqual([
          413,
          code,
        ]);
      },
    );

    test('soundings with a false Content-Length of 5 are limited to the size of light work', async () => {
      const headers = { ...bearer(), 'content-length': '5', ...CHUNKED };
      const one = '{"latitude":1,"longitude":2,"depth":3,"time":4},';
      const text = chunk(`{"soundings":[${one.repeat(2000)}`);
      expect(await answerTo(head(SOUNDINGS, headers), [text])).toEqual([413, 'body_too_large']);
    });
  } else {
    test('a length and chunks at once are no request', async () => {
      const headers = { ...bearer(), 'content-length': '5', ...CHUNKED };
      const connection = await openConnection(service.port);
      await connection.send(head(VOTES, headers) + chunk('12345'));
      expect((await connection.answer()).status).toBe(400);
      connection.close();
    });
  }

  test('one sounding too many is refused when it comes, though the body never ends', async () => {
    const list = `{"soundings":[${'{},'.repeat(50_001)}`;
    expect(await answerTo(head(SOUNDINGS, { ...bearer(), ...CHUNKED }), [chunk(list)])).toEqual([
      413,
      'too_many_soundings',
    ]);
  });

  test.each([
    ['lists within lists', `{"soundings":[${'['.repeat(70_000)}`, 400, 'bad_json'],
    ['a sounding without end', `{"soundings":[{"x":"${PIECE}`, 413, 'body_too_large'],
    ['a name without end', `{"platform":{"name":"${PIECE.repeat(5)}`, 413, 'body_too_large'],
  ])('%s is refused when it comes, though the body never ends', async (_, text, status, code) => {
    expect(await answerTo(head(SOUNDINGS, { ...bearer(), ...CHUNKED }), [chunk(text)])).toEqual([
      status,
      code,
    ]);
  });

  test.each([
    ['a report', '/api/v1/user-reports', `{"properties":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['a route', '/api/v1/routing/route', `{"waypoints":${'['.repeat(9000)}${']'.repeat(9000)}}`],
    ['a saved style', '/api/portal/v1/styles', `{"a":${'{"a":'.repeat(300)}0${'}'.repeat(300)}}`],
    ['a question', '/api/v1/enc_query', `{"radius":${'['.repeat(500)}${']'.repeat(500)}}`],
  ])('%s nested deeper than any that is meant is 400 bad_json', async (_, path, text) => {
    const request = head(`${path}?token=${token}`, { 'content-length': `${text.length}` });
    expect(await answerTo(request, [text])).toEqual([400, 'bad_json']);
  });

  test('answers a client that never stops sending after a refusal, and reads its body for a limited time', async () => {
    const connection = await openConnection(service.port);
    await connection.send(head('/nothing', CHUNKED) + chunk(PIECE));
    expect((await connection.answer()).status).toBe(404);
    expect(await sendForEver(connection, 4 * READ_AT_MOST)).toBeLessThan(2 * READ_AT_MOST);
    connection.close();
    expect((await service.get('/healthz')).status).toBe(200);
  });
});
