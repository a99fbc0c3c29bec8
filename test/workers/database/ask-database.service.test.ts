// The Worker's questions to a real server that is well, killed, frozen, locked or unprepared.

import { type SQL, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  DATABASE_LIMIT_MS,
  readDatabase,
  writeDatabase,
} from '../../../workers/service/db/ask-database.ts';
import { brokenUnique, faultKind } from '../../../workers/service/db/faults.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';
import { freshDatabase, mortalDatabase, type TestDatabase } from '../../support/database.ts';

const UNAVAILABLE = {
  status: 503,
  code: 'database_unavailable',
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
};
/** Where a statement was sent to a server that died with it, nobody can know. */
const HONEST = {
  status: 503,
  code: expect.stringMatching(/^(database_unavailable|outcome_unknown)$/),
};

/** Each stands for a deployment of its own, whose failures are counted apart. */
const envOf = (bindings: object): Env => ({ TILES: {} as never, ...bindings });
const one = (env: Env, options = {}) =>
  readDatabase(env, (database) => database.execute(sql`SELECT 1 AS one`), options);

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe('a database that is well', () => {
  let database: TestDatabase;
  let env: Env;
  beforeAll(async () => {
    database = await freshDatabase();
    env = envOf(database.bindings);
    await database.query(
      `CREATE TABLE pair (id int PRIMARY KEY, word text CONSTRAINT pair_word_once UNIQUE);
       GRANT SELECT, INSERT ON pair TO leadline_runtime`,
    );
  });
  afterAll(() => database?.stop());

  test('a database that is well answers, with every kind of value as the driver gives it', async () => {
    const { rows } = await readDatabase(env, (db) =>
      db.execute(
        sql`SELECT ${7}::int AS whole, ${'π ~ "\\'}::text AS words, ${true}::bool AS truth,
          ${null}::text AS nothing, ${JSON.stringify({ a: [1] })}::jsonb AS tree, 1.5::float8 AS half`,
      ),
    );
    expect(rows).toEqual([
      { whole: 7, words: 'π ~ "\\', truth: true, nothing: null, tree: { a: [1] }, half: 1.5 },
    ]);
  });

  test('a database that is well applies a batch whole or not at all', async () => {
    const insert = (id: number, word: string) => sql`INSERT INTO pair VALUES (${id}, ${word})`;
    const both = (first: SQL, second: SQL) =>
      writeDatabase(env, ({ database: db, run }) => run(db.execute(first), db.execute(second)));
    await both(insert(1, 'one'), insert(2, 'two'));
    const broken = both(insert(3, 'three'), insert(4, 'two'));
    await expect(broken).rejects.toSatisfy((error) => brokenUnique(error) === 'pair_word_once');
    expect((await database.query('SELECT id FROM pair ORDER BY id')).rows).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });

  test('a database that is well leaves errors of the statement and of its author to the author', async () => {
    const statement = readDatabase(env, (db) => db.execute(sql`SELECT 1 / 0`));
    await expect(statement).rejects.toSatisfy((error) => faultKind(error) === 'answer');
    const author = readDatabase(env, async () => {
      throw new TypeError('a slip');
    });
    await expect(author).rejects.toThrow('a slip');
  });

  test('a database that is well that lacks a table or a right is 503, and not asked again', async () => {
    for (const statement of [sql`SELECT * FROM not_yet`, sql`SELECT * FROM schema_migration`]) {
      let attempts = 0;
      const asked = readDatabase(env, (db) => {
        attempts++;
        return db.execute(statement);
      });
      await expect(asked).rejects.toMatchObject(UNAVAILABLE);
      expect(attempts).toBe(1);
    }
  });

  test('a database that is well whose row is locked by somebody is 503 in the end, and fine afterwards', async () => {
    const holder = new Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE pair IN ACCESS EXCLUSIVE MODE');
    const count = () => readDatabase(env, (db) => db.execute(sql`SELECT count(*) FROM pair`));
    await expect(count()).rejects.toMatchObject(UNAVAILABLE);
    await holder.end();
    expect((await count()).rows).toHaveLength(1);
  });

  test('a database that is well but takes no writes for now answers reads, and 503 to writes, which it takes afterwards', async () => {
    const setReadOnly = async (how: string) => {
      await database.query('SET default_transaction_read_only = off');
      await database.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${how}', current_database()); END $$`,
      );
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    };
    const insert = () =>
      writeDatabase(env, ({ call }) => call("INSERT INTO pair VALUES (9, 'nine')", []));
    await setReadOnly('SET default_transaction_read_only = on');
    await expect(insert()).rejects.toMatchObject(UNAVAILABLE);
    expect((await one(env)).rows).toHaveLength(1);
    await setReadOnly('RESET default_transaction_read_only');
    await insert();
    expect((await database.query('SELECT FROM pair WHERE id = 9')).rowCount).toBe(1);
  });

  test('a database that is well answers only those who know its password', async () => {
    const url = new URL(database.bindings.DATABASE_URL);
    url.password = 'guessed';
    await expect(
      one(envOf({ ...database.bindings, DATABASE_URL: url.href })),
    ).rejects.toMatchObject(UNAVAILABLE);
  });
});

test('a database that fails is 503 where there is none at all', async () => {
  await expect(one(envOf({}))).rejects.toMatchObject(UNAVAILABLE);
});

test('a database that fails is 503 while killed, and is asked rarely', async () => {
  const database = await mortalDatabase();
  const env = envOf(database.bindings);
  try {
    expect((await one(env)).rows).toEqual([{ one: 1 }]);
    database.kill();
    let asked = 0;
    for (let round = 0; round < 20; round++) {
      const answer = writeDatabase(env, ({ call }) => {
        asked++;
        return call('SELECT 1', []);
      });
      await expect(answer).rejects.toMatchObject(HONEST);
    }
    // Two attempts a question until five have failed; then it rests.
    expect(asked).toBeLessThanOrEqual(6);
  } finally {
    await database.stop();
  }
});

test('a database that fails is 503 while it hangs, in less time than a client waits, and works when it goes on', async () => {
  expect(DATABASE_LIMIT_MS).toBeLessThan(3000);
  const database = await mortalDatabase();
  const env = envOf(database.bindings);
  try {
    await one(env);
    database.freeze();
    await expect(one(env, { limitMs: 200 })).rejects.toMatchObject(UNAVAILABLE);
    await expect(one(envOf(database.bindings), { limitMs: 200 })).rejects.toMatchObject(
      UNAVAILABLE,
    );
    database.thaw();
    expect((await one(env)).rows).toEqual([{ one: 1 }]);
  } finally {
    await database.stop();
  }
});

test('a database that fails is tried again after a rest, by one question first', async () => {
  const database = await freshDatabase();
  const env = envOf(database.bindings);
  const proxy = env.DATABASE_PROXY;
  const now = Date.now();
  vi.useFakeTimers({ now, toFake: ['Date'] });
  try {
    // A proxy that is not there.
    Object.assign(env, { DATABASE_PROXY: '127.0.0.1:9' });
    for (let round = 0; round < 3; round++) await expect(one(env)).rejects.toBeDefined();
    Object.assign(env, { DATABASE_PROXY: proxy });
    await expect(one(env)).rejects.toMatchObject(UNAVAILABLE);
    vi.setSystemTime(now + 10_000);
    expect((await one(env)).rows).toEqual([{ one: 1 }]);
    expect((await one(env)).rows).toEqual([{ one: 1 }]);
  } finally {
    vi.useRealTimers();
    await database.stop();
  }
});
