// Queries of the Worker to a real server that works, or is killed, frozen, locked or not migrated.

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
/** The outcome of a statement is unknown if the server died after it was sent. */
const HONEST = {
  status: 503,
  code: expect.stringMatching(/^(database_unavailable|outcome_unknown)$/),
};

/** Each environment is a separate deployment, with its own count of failures. */
const envOf = (bindings: object): Env => ({ TILES: {} as never, ...bindings });
const one = (env: Env, options = {}) =>
  readDatabase(env, (database) => database.execute(sql`SELECT 1 AS one`), options);

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe('a working database', () => {
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

  test('answers with each kind of value as the driver returns it', async () => {
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

  test('applies a batch completely or not at all', async () => {
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

  test('passes errors of the statement and of the caller to the caller', async () => {
    const statement = readDatabase(env, (db) => db.execute(sql`SELECT 1 / 0`));
    await expect(statement).rejects.toSatisfy((error) => faultKind(error) === 'answer');
    const author = readDatabase(env, async () => {
      throw new TypeError('a slip');
    });
    await expect(author).rejects.toThrow('a slip');
  });

  test('is 503 if it lacks a table or a right, and the query is not repeated', async () => {
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

  test('is 503 after a wait if another session locks the row, and works afterwards', async () => {
    const holder = new Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE pair IN ACCESS EXCLUSIVE MODE');
    const count = () => readDatabase(env, (db) => db.execute(sql`SELECT count(*) FROM pair`));
    await expect(count()).rejects.toMatchObject(UNAVAILABLE);
    await holder.end();
    expect((await count()).rows).toHaveLength(1);
  });

  test('answers reads and refuses writes with 503 while it is read-only, and accepts writes afterwards', async () => {
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
    const codeOfInsert = () =>
      insert().then(
        () => 'inserted',
        ({ code }) => code,
      );
    await setReadOnly('SET default_transaction_read_only = on');
    // The pool may not know yet that its connection has ended: then the outcome is unknown once.
    await expect.poll(codeOfInsert).toBe(UNAVAILABLE.code);
    expect((await one(env)).rows).toHaveLength(1);
    await setReadOnly('RESET default_transaction_read_only');
    await expect.poll(codeOfInsert).toBe('inserted');
    expect((await database.query('SELECT FROM pair WHERE id = 9')).rowCount).toBe(1);
  });

  test('answers only callers with the password', async () => {
    const url = new URL(database.bindings.DATABASE_URL);
    url.password = 'guessed';
    await expect(
      one(envOf({ ...database.bindings, DATABASE_URL: url.href })),
    ).rejects.toMatchObject(UNAVAILABLE);
  });
});

test('a failing database is 503 if none is configured', async () => {
  await expect(one(envOf({}))).rejects.toMatchObject(UNAVAILABLE);
});

test('a failing database is 503 while it is down, and receives few queries', async () => {
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
    // Each query makes two attempts until five have failed. Then the queries pause.
    expect(asked).toBeLessThanOrEqual(6);
  } finally {
    await database.stop();
  }
});

test('a failing database is 503 while it hangs, before clients time out, and works when it responds again', async () => {
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

test('a failing database is tried again after a pause, first by one query', async () => {
  const database = await freshDatabase();
  const env = envOf(database.bindings);
  const proxy = env.DATABASE_PROXY;
  const now = Date.now();
  vi.useFakeTimers({ now, toFake: ['Date'] });
  try {
    // A proxy that does not exist.
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
