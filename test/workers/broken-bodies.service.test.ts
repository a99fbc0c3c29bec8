// Bodies that break off because the client disconnected, or that have an invalid length or chunk. They
// are client errors: the service does not log them as faults, and other requests succeed.

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { closeConnections, jsonOf, sendHttp } from '../support/http-client.ts';
import { type BodyTaker, bodyTakers } from '../support/openapi.ts';
import { openConnection } from '../support/raw-connection.ts';
import { type Service, startService } from '../support/service.ts';

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const BEGUN = '{"soundings":[{"latitude":1,';
const LONG = { 'content-length': '400' };
const CHUNKED = { 'transfer-encoding': 'chunked' };

describe.each([
  ['the runtime itself', true],
  ['the local service', false],
])('%s', (_, isDirect) => {
  let service: Service;
  let takers: readonly BodyTaker[];
  let token: string;
  beforeAll(async () => {
    service = await startService({ charts: inject('demoCharts'), isDirect, isAlone: false });
    token = await service.token();
    takers = bodyTakers(jsonOf(await sendHttp(service.port, '/openapi.json')), ID);
  });
  afterAll(async () => {
    closeConnections();
    await service?.stop();
  });

  const head = ([method, path]: BodyTaker, headers: Readonly<Record<string, string>>) =>
    [
      `${method} ${path}?token=${token} HTTP/1.1`,
      'host: leadline.test',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n');
  const faults = () => service.log.filter((line) => line.includes('"kind":"fault"'));
  const requestsTo = (path: string) =>
    service.log
      .filter((line) => line.includes('"kind":"request"'))
      .map((line) => JSON.parse(line) as { path: string; method: string; status: number })
      .filter((line) => line.path === path && line.method !== 'GET');

  test('a client that disconnects in the middle of its body causes no fault, at any endpoint with a body', async () => {
    expect(takers.length).toBeGreaterThan(5);
    for (const taker of takers) {
      const [, path] = taker;
      const before = requestsTo(path).length;
      const leaver = await openConnection(service.port);
      await leaver.send(head(taker, LONG) + BEGUN);
      // Wait until both sides have received the request.
      expect((await sendHttp(service.port, '/healthz')).status).toBe(200);
      leaver.close();
      const line = await vi.waitFor(() => {
        const [last, ...rest] = requestsTo(path).slice(before);
        expect([path, last === undefined, rest.length]).toEqual([path, false, 0]);
        return last!;
      }, 30_000);
      expect([path, line.status]).toEqual([path, 400]);
    }
    expect(faults()).toEqual([]);
    expect((await sendHttp(service.port, '/healthz')).status).toBe(200);
  });

  test.each([
    ['a chunk with a non-numeric length', `1c\r\n${BEGUN}\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk with too large a length', `1c\r\n${BEGUN}\r\nfffffffffffffffff1\r\n{}\r\n0\r\n\r\n`],
    ['a chunk longer than its stated length', `4\r\n${BEGUN}\r\n0\r\n\r\n`],
  ])('%s is 400, and not a fault', async (_, body) => {
    for (const taker of takers) {
      const connection = await openConnection(service.port);
      try {
        await connection.send(head(taker, CHUNKED) + body);
        const answer = await connection.answer();
        expect([taker, answer.status]).toEqual([taker, 400]);
        // Here the server in front of the runtime refuses the request.
        if (isDirect) expect(JSON.parse(answer.body)).toMatchObject({ code: 'incomplete_body' });
      } finally {
        connection.close();
      }
    }
    expect(faults()).toEqual([]);
  });
});
