// Large and slow uploads of one account do not delay the light requests of others.

import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type Caller,
  type CrowdService,
  REPORTS,
  refusalOf,
  startCrowdService,
} from '../../support/crowd-service.ts';
import { databaseBehindProxy, type FaultyProxy } from '../../support/faulty-proxy.ts';
import { closeConnections } from '../../support/http-client.ts';
import { BATHYMETRY, soundingAfter, voyage } from '../../support/soundings.ts';

let proxy: FaultyProxy;
let crowd: CrowdService;
let boats: Caller;
let anna: Caller;
beforeAll(async () => {
  const behind = await databaseBehindProxy();
  proxy = behind.proxy;
  crowd = await startCrowdService({}, behind.database);
  anna = await crowd.caller({ account: 'marina', subject: 'anna' });
});
beforeEach(async () => {
  proxy.decide = () => 'none';
  boats = await crowd.caller({ account: 'boats', subject: 'logger' });
});
afterAll(async () => {
  closeConnections();
  await crowd?.stop();
});

/** The database takes no soundings and everything else. */
const stallUploads = () => {
  proxy.decide = (question) => (question.includes('append_tracks') ? 'hang' : 'none');
};

const light = { soundings: [soundingAfter(1)] };
/** More than 64 KiB. */
const large = { soundings: voyage(1500, 7) };

async function lightRequests(statuses: number[]): Promise<void> {
  const { id } = await anna.report();
  statuses.push((await anna.vote(id, 'valid')).status);
  statuses.push((await anna.get(`${REPORTS}?bbox=-123,47,-122,48`)).status);
  statuses.push((await anna.delete(`${REPORTS}/${id}`)).status);
}

test('uploads of one account that are never answered cause no 503 for other accounts', async () => {
  stallUploads();
  const stalled = Promise.all(Array.from({ length: 12 }, () => boats.post(BATHYMETRY, light)));
  let isOver = false;
  void stalled.then(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) await lightRequests(statuses);
  // No more afterwards, because these failures are not caused by the database.
  await lightRequests(statuses);
  expect(new Set((await stalled).map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a token has two large uploads under way at once and 32 that wait, and others have theirs', async () => {
  stallUploads();
  const all = Array.from({ length: 35 }, () => boats.post(BATHYMETRY, large));
  const refused = await Promise.race(all);
  expect(refusalOf(refused)).toEqual([429, 'too_many_at_once']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  proxy.decide = (question) => (question.includes('"boats"') ? 'hang' : 'none');
  // Small uploads are not heavy, and other accounts have separate limits.
  expect((await anna.post(BATHYMETRY, light)).status).toBe(201);
  expect((await anna.post(BATHYMETRY, large)).status).toBe(201);
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(
    new Set([429, 503]),
  );
  proxy.decide = () => 'none';
  expect((await boats.post(BATHYMETRY, large)).status).toBe(201);
});

test('clients that leave in the middle of their uploads do not keep their places', async () => {
  stallUploads();
  for (let i = 0; i < 2; i++) await leaveInTheMiddle(boats);
  proxy.decide = () => 'none';
  await vi.waitFor(async () => expect((await boats.post(BATHYMETRY, large)).status).toBe(201), {
    timeout: 15_000,
    interval: 250,
  });
});

/** Send a large upload, and go when all of it was sent and no answer has come. */
function leaveInTheMiddle({ token }: Caller): Promise<void> {
  return new Promise((done) => {
    const body = JSON.stringify(large);
    const sending = request({
      host: '127.0.0.1',
      port: crowd.service.port,
      path: BATHYMETRY,
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-length': body.length },
    });
    sending.on('error', () => done());
    sending.end(body, () => setTimeout(() => sending.destroy(), 300));
    sending.on('close', () => done());
  });
}
