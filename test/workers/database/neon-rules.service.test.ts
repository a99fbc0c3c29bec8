// Queries of the Worker with the Neon driver to a server with the rules of Neon.

import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readDatabase, writeDatabase } from '../../../workers/service/db/ask-database.ts';
import { requestReset } from '../../../workers/service/db/mail-store.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { HAZARD, REPORTS, startCrowdService } from '../../support/crowd-service.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { closeConnections, jsonOf } from '../../support/http-client.ts';
import { type NeonRules, openNeonRules } from '../../support/neon-rules.ts';
import { BATHYMETRY, voyage } from '../../support/soundings.ts';

let database: TestDatabase;
let neon: NeonRules;
let env: Env;
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  database = await freshDatabase();
  neon = await openNeonRules(database.bindings.DATABASE_URL);
  await database.query(
    'CREATE TABLE kept (word text); GRANT SELECT, INSERT ON kept TO leadline_runtime',
  );
});
beforeEach(async () => {
  Object.assign(neon, { wakeMs: 0, mostBytes: 64 << 20, fate: ['served'] });
  env = { TILES: {} as never, ...database.bindings, DATABASE_PROXY: neon.place };
  await database.query('TRUNCATE kept');
});
afterEach(() => vi.unstubAllGlobals());
afterAll(async () => {
  closeConnections();
  await neon?.close();
  await database?.stop();
  vi.restoreAllMocks();
});

test('Neon gets no unpaired surrogate, which its JSON may not contain', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string));
    const results = [1, 2].map(() => ({ fields: [], rows: [], command: 'SELECT', rowCount: 0 }));
    return Promise.resolve(Response.json({ results }));
  });
  await requestReset(env, '\ud800a\0\u{1f6df}@x\udc00');
  const params = ['\ufffda\ufffd\u{1f6df}@x\ufffd'];
  expect(sent).toMatchObject([{ queries: [{}, { params }] }]);
});

const keep = (word: string) =>
  writeDatabase(env, ({ call }) => call('INSERT INTO kept VALUES ($1)', [word]));
const kept = async () =>
  (await database.query('SELECT word FROM kept')).rows.map(({ word }) => word as string);
const one = () => readDatabase(env, (db) => db.execute(sql`SELECT 1 AS one`));
const REFUSED = { status: 503, code: 'database_unavailable' };
const UNKNOWN = { status: 503, code: 'outcome_unknown' };

test('a database at Neon is queried at the Neon URL, with its headers', async () => {
  const asked: [string, Headers][] = [];
  vi.stubGlobal('fetch', (address: string, { headers }: RequestInit) => {
    asked.push([String(address), new Headers(headers)]);
    return Promise.resolve(Response.json({ fields: [], rows: [], command: 'SELECT', rowCount: 0 }));
  });
  const DATABASE_URL = 'postgresql://worker:secret@ep-cool-1.eu-central-1.aws.neon.tech/leadline';
  const there: Env = { TILES: {} as never, DATABASE_URL };
  await readDatabase(there, (db) => db.$client.query('SELECT 1'));
  expect(asked.map(([address]) => address)).toEqual(['https://api.eu-central-1.aws.neon.tech/sql']);
  const headers = asked[0]![1];
  // The name of the driver follows.
  expect(headers.get('neon-connection-string')?.split('?')[0]).toBe(DATABASE_URL);
  expect(headers.get('neon-raw-text-output')).toBe('true');
});

test('a report, votes, soundings and a style work with the rules of Neon', async () => {
  const bindings = { ...database.bindings, DATABASE_PROXY: neon.place };
  const crowd = await startCrowdService({}, { ...database, bindings, stop: async () => undefined });
  try {
    const scopes = ['styles:write', 'styles', 'reports:write', 'bathymetry:write'] as const;
    const anna = await crowd.caller({ subject: 'anna', scopes });
    const { id } = await anna.report();
    expect(jsonOf(await anna.vote(id, 'valid')).upvoteCount).toBe(1);
    expect(jsonOf(await anna.get(`${REPORTS}?bbox=-123,47,-122,48`)).reports).toHaveLength(1);
    expect((await anna.delete(`${REPORTS}/${id}`)).status).toBe(200);
    const soundings = voyage(3000, 1);
    const sent = await anna.post(BATHYMETRY, { soundings, platform: { uniqueId: 'boat' } });
    expect(jsonOf(sent).totalPoints).toBe(3000);
    const track = jsonOf(await anna.get(`${BATHYMETRY}/${jsonOf(sent).tracks[0].id}`));
    expect(track.points).toHaveLength(jsonOf(sent).tracks[0].pointCount);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => anna.ask(REPORTS, { method: 'POST', body: HAZARD, headers });
    expect(jsonOf(await ask()).id).toBe(jsonOf(await ask()).id);
    const style = { name: 'Bridge', baseTheme: 'night', parameters: { settings: {} } };
    const saved = jsonOf(await anna.post('/api/portal/v1/styles', style));
    const changed = { ...style, name: 'Wheelhouse' };
    const path = `/api/portal/v1/styles/${saved.id}`;
    const put = await anna.ask(path, { method: 'PUT', body: changed });
    expect(jsonOf(put).name).toBe('Wheelhouse');
    expect((await anna.delete(path)).status).toBe(204);
  } finally {
    await crowd.service.stop();
  }
});

test('the service waits for a server that wakes in a second', async () => {
  neon.wakeMs = 1000;
  expect((await one()).rows).toEqual([{ one: 1 }]);
  await keep('woken');
  expect(await kept()).toEqual(['woken']);
});

test('a server that wakes too slowly is 503 for reads and an unknown outcome for writes, which are not executed', async () => {
  neon.wakeMs = 3500;
  const [read, written] = await Promise.allSettled([one(), keep('asleep')]);
  expect([read, written]).toMatchObject([{ reason: REFUSED }, { reason: UNKNOWN }]);
  neon.wakeMs = 0;
  expect((await one()).rows).toEqual([{ one: 1 }]);
  expect(await kept()).toEqual([]);
});

test('a server that the control plane does not wake is 503, and nothing is written', async () => {
  neon.fate = ['not woken'];
  await expect(keep('never')).rejects.toMatchObject(REFUSED);
  expect(await kept()).toEqual([]);
});

test('a server that wakes for the second attempt answers the write', async () => {
  neon.fate = ['not woken', 'served'];
  await keep('second');
  expect(await kept()).toEqual(['second']);
});

test('the outcome is unknown if the connection closes before or after the statement', async () => {
  neon.fate = ['closed before'];
  await expect(keep('before')).rejects.toMatchObject(UNKNOWN);
  neon.fate = ['closed after'];
  await expect(keep('after')).rejects.toMatchObject(UNKNOWN);
  // Sent twice, as this statement must not be repeated.
  expect(new Set(await kept())).toEqual(new Set(['after']));
});

test('an answer too large for Neon is 503, and its write is rolled back', async () => {
  neon.mostBytes = 1000;
  const large = `INSERT INTO kept SELECT repeat('x', 2000) RETURNING word`;
  await expect(writeDatabase(env, ({ call }) => call(large, []))).rejects.toMatchObject(REFUSED);
  const read = readDatabase(env, (db) => db.execute(sql`SELECT repeat('x', 2000)`));
  await expect(read).rejects.toMatchObject(REFUSED);
  expect(await kept()).toEqual([]);
});

test('a wrong password is 503, and not an internal error', async () => {
  const url = new URL(database.bindings.DATABASE_URL);
  url.password = 'guessed';
  env = { ...env, DATABASE_URL: url.href };
  await expect(one()).rejects.toMatchObject(REFUSED);
});
