// The corpus of bodies, paths and parameters, replayed: each is answered as documented, with a status
// that it may have, and none is an error of the service.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../../support/database.ts';
import { closeConnections, jsonOf, sendHttp } from '../../support/http-client.ts';
import { type AnswerCheck, answerCheck } from '../../support/openapi.ts';
import { READS, TILES } from './addresses.ts';
import {
  type Kept,
  QUESTIONS,
  REPORTS,
  ROUTES,
  SOUNDINGS,
  STYLES,
  USER_TOKENS,
  VOTES,
} from './bodies.ts';

let service: ServiceWithDatabase;
let token: string;
let check: AnswerCheck;
beforeAll(async () => {
  service = await startServiceWithDatabase({ assetsDir: inject('assets'), isAlone: false });
  token = await service.token();
  check = answerCheck(jsonOf(await sendHttp(service.port, '/openapi.json')));
});
afterAll(async () => {
  closeConnections();
  await service?.stop();
});

/** The status of a response, and its differences from the OpenAPI document. */
async function ask(path: string, body?: string | Uint8Array) {
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await sendHttp(service.port, path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, faults: check(method, path, answer) };
}

const ID = '2f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const ENDPOINTS: Readonly<Record<string, readonly [path: string, bodies: readonly Kept[]]>> = {
  reports: ['/api/v1/user-reports', REPORTS],
  votes: [`/api/v1/user-reports/${ID}/votes`, VOTES],
  soundings: ['/api/v1/user-reports/bathymetry', SOUNDINGS],
  questions: ['/api/v1/enc_query', QUESTIONS],
  routes: ['/api/v1/routing/route', ROUTES],
  styles: ['/api/portal/v1/styles', STYLES],
  'user tokens': ['/api/v1/user-tokens', USER_TOKENS],
};

test.each(Object.entries(ENDPOINTS))(
  'every kept body for %s is answered as it may be',
  async (_, [path, bodies]) => {
    if (path.endsWith('/votes')) {
      const report = JSON.stringify({
        id: ID,
        reportType: 'hazard',
        position: { latitude: 1, longitude: 2 },
      });
      expect((await ask('/api/v1/user-reports', report)).status).toBe(201);
    }
    const address = path.includes('routing') ? `${path}?token=${token}` : path;
    const wrong: unknown[] = [];
    for (const [name, body, ...statuses] of bodies) {
      const { status, faults } = await ask(address, body);
      if (!statuses.includes(status) || faults.length > 0) wrong.push([name, status, faults]);
    }
    expect(wrong).toEqual([]);
  },
);

test('every kept address of a tile is refused', async () => {
  const wrong: unknown[] = [];
  for (const [path, expected] of TILES) {
    const { status, faults } = await ask(path);
    if (status !== expected || faults.length > 0) wrong.push([path, status, faults]);
  }
  expect(wrong).toEqual([]);
  expect(TILES.length).toBeGreaterThan(400);
});

test('every kept parameter is answered, and never as an error of the service', async () => {
  const wrong: unknown[] = [];
  for (const path of READS) {
    const { status, faults } = await ask(path);
    if (status >= 500 || faults.length > 0) wrong.push([path, status, faults]);
  }
  expect(wrong).toEqual([]);
  expect(service.log.filter((line) => /"kind":"fault"/.test(line))).toEqual([]);
});
