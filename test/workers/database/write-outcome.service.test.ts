// The outcome of a refused write: if the response reports a refusal, nothing is written, even later. If
// the outcome is unknown, the response reports that.

import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readDatabase, writeDatabase } from '../../../workers/service/db/ask-database.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import type { TestDatabase } from '../../support/database.ts';
import { databaseBehindProxy, type FaultyProxy } from '../../support/faulty-proxy.ts';

const REFUSED = { status: 503, code: 'database_unavailable' };
const UNKNOWN = { status: 503, code: 'outcome_unknown', headers: { 'retry-after': '2' } };

let database: TestDatabase;
let proxy: FaultyProxy;
let direct: TestDatabase['bindings'];
let env: Env;
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  ({ database, proxy, direct } = await databaseBehindProxy());
  await database.query(`
    CREATE TABLE kept (word text);
    GRANT SELECT, INSERT ON kept TO leadline_runtime;
    CREATE FUNCTION keep_slowly(new_word text, seconds float8) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO kept VALUES (new_word);
      PERFORM pg_sleep(seconds);
    END $$;
    GRANT EXECUTE ON FUNCTION keep_slowly TO leadline_runtime;
    CREATE FUNCTION sleep_with_limit(seconds float8) RETURNS void LANGUAGE plpgsql
      SET statement_timeout = '20ms' AS $$ BEGIN PERFORM pg_sleep(seconds); END $$`);
});
beforeEach(async () => {
  proxy.decide = () => 'none';
  env = { TILES: {} as never, ...database.bindings };
  await database.query('TRUNCATE kept');
});
afterAll(async () => {
  await database?.stop();
  vi.restoreAllMocks();
});

const keep = (word: string, seconds: number, limitMs: number) =>
  writeDatabase(env, ({ call }) => call('SELECT keep_slowly($1, $2)', [word, seconds]), {
    limitMs,
  });

/** The stored words, once no statement of the service is running. */
async function keptInTheEnd(): Promise<string[]> {
  const running = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND query LIKE '%keep_slowly%'
      AND pid <> pg_backend_pid()`;
  await vi.waitFor(async () => expect((await database.query(running)).rows).toEqual([{ n: 0 }]), {
    timeout: 20_000,
    interval: 20,
  });
  return (await database.query('SELECT word FROM kept ORDER BY 1')).rows.map(({ word }) => word);
}

test('a write that the service refuses because of its time limit is ended by the server, and is not stored later', async () => {
  // On a busy machine the server's error can arrive after the limit, and the outcome is then unknown.
  const isRefused = () => expect(keep('late', 10, 2500)).rejects.toMatchObject(REFUSED);
  await vi.waitFor(isRefused, { timeout: 300_000 });
  expect(await keptInTheEnd()).toEqual([]);
});

test('a write within its limit is stored', async () => {
  await keep('in time', 0.05, 5000);
  expect(await keptInTheEnd()).toEqual(['in time']);
});

test('a limit that a function sets for itself would not end the statement that calls it', async () => {
  const { rows } = await database.query('SELECT sleep_with_limit(0.2) IS NOT NULL AS is_done');
  expect(rows).toEqual([{ is_done: true }]);
});

test('the limit of one write does not affect the next query on the same connection', async () => {
  await keep('first', 0, 5000);
  const [row] = await readDatabase(env, (db) =>
    db.$client.query("SELECT current_setting('statement_timeout') AS ms"),
  );
  expect(row).toEqual({ ms: '3s' });
});

test('a write whose answer is lost each time has an unknown outcome, and is stored', async () => {
  proxy.decide = () => 'lose-answer';
  await expect(keep('lost', 0, 5000)).rejects.toMatchObject(UNKNOWN);
  expect(await keptInTheEnd()).toContain('lost');
});

test('a write that is never answered has an unknown outcome', async () => {
  proxy.decide = () => 'hang';
  await expect(keep('hung', 0, 300)).rejects.toMatchObject(UNKNOWN);
});

test('a write has an unknown outcome if its answer is lost and its second attempt is refused', async () => {
  const faults = ['lose-answer', 'none'] as const;
  let at = 0;
  proxy.decide = () => faults[at++] ?? 'none';
  let attempt = 0;
  const written = writeDatabase(
    env,
    ({ call }) => call('SELECT keep_slowly($1, $2)', ['first only', attempt++ === 0 ? 0 : 30]),
    { limitMs: 2500 },
  );
  await expect(written).rejects.toMatchObject(UNKNOWN);
  expect(await keptInTheEnd()).toEqual(['first only']);
});

test('a write that Neon could not deliver to its server is refused, not unknown', async () => {
  proxy.decide = () => 'broken';
  await expect(keep('never', 0, 2500)).rejects.toMatchObject(REFUSED);
  expect(await keptInTheEnd()).toEqual([]);
});

test('a write that waits for a lock beyond its time limit is refused, and is not stored when the lock is released', async () => {
  const holder = new Client({ connectionString: database.ownerUrl });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE kept IN ACCESS EXCLUSIVE MODE');
  await expect(keep('locked out', 0, 2500)).rejects.toMatchObject(REFUSED);
  await holder.end();
  expect(await keptInTheEnd()).toEqual([]);
});

test('a write is not carried out if its sender gave up while it waited for a connection', async () => {
  env = { ...env, ...direct };
  const holder = new Client({ connectionString: database.ownerUrl });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(7)');
  // All twelve connections of the proxy wait until the holder ends.
  const asked = { limitMs: 60_000 };
  const waiting = Array.from({ length: 12 }, () =>
    writeDatabase(env, ({ call }) => call('SELECT pg_advisory_xact_lock_shared(7)', []), asked),
  );
  const busy = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%lock_shared(7)%' AND state = 'active'
      AND pid <> pg_backend_pid()`;
  await vi.waitFor(async () => expect((await database.query(busy)).rows).toEqual([{ n: 12 }]), {
    timeout: 30_000,
    interval: 20,
  });
  await expect(keep('abandoned', 0, 200)).rejects.toMatchObject(UNKNOWN);
  await holder.end();
  await Promise.all(waiting);
  // Earlier requests have finished when a later one finishes.
  await keep('after it', 0, 5000);
  expect(await keptInTheEnd()).toEqual(['after it']);
});
