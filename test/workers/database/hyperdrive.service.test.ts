// The database through Hyperdrive, which the runtime simulates in front of a real server: the same answers as
// with Neon's driver, and the same outcomes when the server fails.

import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readDatabase, writeDatabase } from '../../../workers/service/db/ask-database.ts';
import { brokenUnique, faultKind } from '../../../workers/service/db/faults.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { HAZARD, REPORTS } from '../../support/crowd-service.ts';
import {
  behindHyperdrive,
  freshDatabase,
  mortalDatabase,
  type TestDatabase,
} from '../../support/database.ts';
import { closeConnections, jsonOf } from '../../support/http-client.ts';
import { startPortal, users } from '../../support/portal-service.ts';
import { BATHYMETRY, voyage } from '../../support/soundings.ts';

const REFUSED = { status: 503, code: 'database_unavailable' };
const UNKNOWN = { status: 503, code: 'outcome_unknown' };

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => {
  closeConnections();
  vi.restoreAllMocks();
});

describe.each([
  ["Neon's driver", (database: TestDatabase) => database],
  ['Hyperdrive', behindHyperdrive],
])('the service with %s', (_, through) => {
  test('stores reports, votes, soundings, styles and sessions', async () => {
    const portal = await startPortal(through(await freshDatabase()));
    try {
      const anna = await portal.crowd.caller({ subject: 'anna' });
      const { id, createdAt } = await anna.report();
      expect(Number.isInteger(createdAt)).toBe(true);
      expect(jsonOf(await anna.vote(id, 'valid')).upvoteCount).toBe(1);
      expect(jsonOf(await anna.vote(id, 'invalid'))).toMatchObject({
        upvoteCount: 0,
        downvoteCount: 1,
      });
      expect((await anna.post(REPORTS, { ...HAZARD, id })).status).toBe(409);
      const listed = jsonOf(await anna.get(`${REPORTS}?bbox=-123,47,-122,48`));
      expect(listed.reports).toHaveLength(1);
      expect((await anna.delete(`${REPORTS}/${id}`)).status).toBe(200);
      const sent = await anna.post(BATHYMETRY, {
        soundings: voyage(3000, 1),
        platform: { uniqueId: 'boat' },
      });
      expect(jsonOf(sent).totalPoints).toBe(3000);
      const track = jsonOf(await anna.get(`${BATHYMETRY}/${jsonOf(sent).tracks[0].id}`));
      expect(track.points).toHaveLength(jsonOf(sent).tracks[0].pointCount);
      expect((await portal.signIn(users.member.email, 'not the password')).status).toBe(401);
      const member = await portal.sessionOf('member');
      const { json } = await portal.send('GET', '/auth/whoami', { headers: member });
      expect(json).toMatchObject({ username: users.member.email });
      const style = await portal.makeStyle(member);
      const { status } = await portal.send('GET', `/styles/${style.id}`, { headers: member });
      expect(status).toBe(200);
      expect((await portal.send('POST', '/auth/logout', { headers: member })).status).toBe(204);
      expect(await portal.whoami(member)).toBe(401);
      expect(jsonOf(await portal.crowd.ask('/readyz')).database).toBe('up');
    } finally {
      await portal.stop();
    }
  });
});

describe('a query through Hyperdrive', () => {
  let database: TestDatabase;
  let env: Env;
  const envOf = (connectionString: string): Env => ({
    TILES: {} as never,
    HYPERDRIVE: { connectionString },
  });
  beforeAll(async () => {
    database = await freshDatabase();
    await database.query(`
      CREATE TABLE kept (word text CONSTRAINT kept_once UNIQUE);
      GRANT SELECT, INSERT ON kept TO leadline_runtime;
      CREATE FUNCTION fail_as(code text, words text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION USING ERRCODE = code, MESSAGE = words; END $$;
      GRANT EXECUTE ON FUNCTION fail_as TO leadline_runtime`);
  });
  beforeEach(async () => {
    env = envOf(database.bindings.DATABASE_URL);
    await database.query('TRUNCATE kept');
  });
  afterAll(() => database?.stop());

  const keep = (word: string, seconds = 0, limitMs = 2500) =>
    writeDatabase(
      env,
      ({ database: db, run }) =>
        run(
          db.execute(sql`INSERT INTO kept VALUES (${word})`),
          db.execute(sql`SELECT pg_sleep(${seconds})`),
        ),
      { limitMs },
    );
  const kept = async () =>
    (await database.query('SELECT word FROM kept ORDER BY 1')).rows.map(({ word }) => word);
  /** The connections of the service. */
  const connections = async () =>
    (
      await database.query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND usename = 'test_worker'`,
      )
    ).rows as { pid: number }[];

  test("returns values of each type as Neon's driver does", async () => {
    const values = sql`SELECT ${7}::int AS i4, ${'9007199254740993'}::int8 AS i8, 1.50::numeric AS n,
      1.5::float8 AS f8, 'NaN'::float8 AS nan, ${'π ~ "\\'}::text AS t, ${true}::bool AS b,
      ${null}::text AS none, ${JSON.stringify({ a: [1] })}::jsonb AS j, '{1,2}'::int[] AS list,
      ${new Date(0)}::timestamptz AS at, '2026-02-28'::date AS day, '1 day'::interval AS span,
      ${'\\x00ff'}::bytea AS raw, '{a,NULL}'::text[] AS words, point(1, 2) AS place`;
    const both = [env, { TILES: {} as never, ...database.bindings }].map(async (one) => {
      const { rows, fields, rowCount, command } = await readDatabase(one, (db) =>
        db.execute(values),
      );
      return { rows, names: fields.map(({ name }) => name), rowCount, command };
    });
    const [throughHyperdrive, overHttp] = await Promise.all(both);
    expect(throughHyperdrive).toEqual(overHttp);
    expect(throughHyperdrive!.rows).toHaveLength(1);
  });

  test('is written completely or not at all, and names the broken constraint', async () => {
    await keep('one');
    const twice = writeDatabase(env, ({ database: db, run }) =>
      run(
        db.execute(sql`INSERT INTO kept VALUES ('two')`),
        db.execute(sql`INSERT INTO kept VALUES ('one')`),
      ),
    );
    await expect(twice).rejects.toSatisfy((error) => brokenUnique(error) === 'kept_once');
    expect(await kept()).toEqual(['one']);
  });

  test('closes its connection, also after an error', async () => {
    // Those of the proxy for Neon's driver stay open for a while.
    const known = new Set((await connections()).map(({ pid }) => pid));
    await keep('closed');
    const failed = readDatabase(env, (db) => db.execute(sql`SELECT 1 / 0`));
    await expect(failed).rejects.toSatisfy((error) => faultKind(error) === 'answer');
    const unknown = async () => (await connections()).filter(({ pid }) => !known.has(pid));
    await expect.poll(unknown).toEqual([]);
  });

  test('does not mix the statements of a transaction with other queries of the same call', async () => {
    const insert = sql`INSERT INTO kept VALUES ('first')`;
    const outcomes = await readDatabase(env, (db) =>
      Promise.allSettled([
        db.batch([db.execute(insert), db.execute(sql`SELECT 1 / 0`)]),
        db.execute(sql`INSERT INTO kept VALUES ('second')`),
      ]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await kept()).toEqual(['second']);
  });

  test('is refused and not stored if it exceeds its time limit, which the server enforces', async () => {
    await vi.waitFor(() => expect(keep('late', 10)).rejects.toMatchObject(REFUSED), {
      timeout: 300_000,
    });
    expect(await kept()).toEqual([]);
    const limit = await readDatabase(env, (db) =>
      db.$client.query("SELECT current_setting('statement_timeout') AS ms"),
    );
    expect(limit).toEqual([{ ms: '3s' }]);
  });

  test('is refused and not stored while another session locks the table', async () => {
    const holder = new Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE kept IN ACCESS EXCLUSIVE MODE');
    await expect(keep('locked out')).rejects.toMatchObject(REFUSED);
    await holder.end();
    expect(await kept()).toEqual([]);
  });

  test('is read again if its connection is terminated, and a write is then unknown or stored once', async () => {
    const terminate = async () => {
      for (const { pid } of await connections())
        await database.query('SELECT pg_terminate_backend($1)', [pid]);
    };
    let attempts = 0;
    const { rows } = await readDatabase(
      env,
      async (db) => {
        attempts++;
        const asked = db.execute(sql`SELECT 1 AS one, pg_sleep(${attempts === 1 ? 20 : 0})`);
        if (attempts === 1)
          void vi.waitUntil(async () => (await connections()).length > 0).then(terminate);
        return asked;
      },
      { limitMs: 10_000 },
    );
    expect([rows[0]!['one'], attempts]).toEqual([1, 2]);
    const written = keep('cut off', 20, 10_000);
    const cut = setInterval(() => void terminate(), 50);
    await expect(written).rejects.toMatchObject(UNKNOWN);
    clearInterval(cut);
    expect(await kept()).toEqual([]);
  });

  test('is refused if no server listens, the login is wrong, or Hyperdrive has no connection', async () => {
    const url = new URL(database.bindings.DATABASE_URL);
    url.password = 'guessed';
    for (const address of ['postgresql://worker:secret@127.0.0.1:9/leadline', url.href]) {
      env = envOf(address);
      await expect(keep('never')).rejects.toMatchObject(REFUSED);
    }
    env = envOf(database.bindings.DATABASE_URL);
    const ofHyperdrive = [
      'Failed to acquire a connection from the pool.',
      'Server connection attempt failed: connection_refused',
    ];
    for (const words of ofHyperdrive) {
      const failed = writeDatabase(env, ({ call }) =>
        call('SELECT fail_as($1, $2)', ['58000', words]),
      );
      await expect(failed).rejects.toMatchObject(REFUSED);
    }
    const other = writeDatabase(env, ({ call }) =>
      call('SELECT fail_as($1, $2)', ['58000', 'Internal error.']),
    );
    await expect(other).rejects.toMatchObject(UNKNOWN);
  });
});

test('a server behind Hyperdrive that hangs or is down is 503, and works again afterwards', async () => {
  const database = await mortalDatabase();
  const HYPERDRIVE = { connectionString: database.bindings.DATABASE_URL };
  const newEnv = (): Env => ({ TILES: {} as never, HYPERDRIVE });
  const one = async (limitMs = 2500) =>
    (await readDatabase(newEnv(), (db) => db.execute(sql`SELECT 1 AS one`), { limitMs })).rows;
  try {
    await one();
    database.freeze();
    await expect(one(200)).rejects.toMatchObject(REFUSED);
    database.thaw();
    expect(await one()).toEqual([{ one: 1 }]);
    database.kill();
    await expect(one()).rejects.toMatchObject(REFUSED);
    await database.restart();
    expect(await one()).toEqual([{ one: 1 }]);
  } finally {
    await database.stop();
  }
});
