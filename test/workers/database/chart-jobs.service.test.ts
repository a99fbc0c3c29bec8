// The order in which workers take jobs of charts, and what they store of them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobProgress } from '../../../tiles-build/uploads/job-progress.ts';
import { type Job, openJobStore } from '../../../tiles-build/uploads/job-store.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database?.stop());

/** Takes and ends the job that a worker would run next. @returns its account and number */
async function runNext(): Promise<string> {
  const { rows } = await database.query("SELECT * FROM work_jobs('worker', NULL) LIMIT 1");
  const { id } = rows[0];
  await database.query('SELECT * FROM work_take($1)', [id]);
  await database.query("SELECT work_end($1, 'succeeded', '{}', NULL, NULL, NULL)", [id]);
  // The next job is taken in a later millisecond.
  await database.query('SELECT pg_sleep(0.002)');
  return `${rows[0].is_public ? 'public' : rows[0].account_id} ${id.slice(-1)}`;
}

test('accounts take turns, however many jobs each has', async () => {
  let number = 0;
  const add = (account: string, isPublic = false) =>
    database.query(
      `INSERT INTO chart_job (id, account_id, is_public, kind, created_at)
        VALUES ($1, $2, $3, 'rebuild', $4)`,
      [`00000000-0000-4000-8000-00000000000${++number}`, account, isPublic, number],
    );
  for (const account of ['busy', 'busy', 'busy', 'busy']) await add(account);
  await add('second');
  await add('busy', true);
  const order: string[] = [];
  for (let i = 0; i < 3; i++) order.push(await runNext());
  // A job of an account that never had one comes before those of others that wait longer.
  await add('late');
  await add('second');
  for (let i = 0; i < 5; i++) order.push(await runNext());
  expect(order).toEqual([
    'busy 1',
    'second 5',
    'public 6',
    'late 7',
    'busy 2',
    'second 8',
    'busy 3',
    'busy 4',
  ]);
});

test('a failed erasure is repeated after ten minutes, and no other job', async () => {
  const add = (number: number, kind: string, age: number) =>
    database.query(
      `INSERT INTO chart_job (id, account_id, is_public, kind, state, attempts, updated_at)
        VALUES ($1, 'erased', false, $2, 'failed', 31, now_ms() - $3::bigint)`,
      [`00000000-0000-4000-8000-00000000020${number}`, kind, age],
    );
  await add(1, 'erase', 610_000);
  await add(2, 'erase', 590_000);
  await add(3, 'delete', 610_000);
  await database.query('SELECT * FROM work_abandoned()');
  const { rows } = await database.query(
    "SELECT state, attempts FROM chart_job WHERE account_id = 'erased' ORDER BY id",
  );
  expect(rows.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
    'pending 0',
    'failed 31',
    'failed 31',
  ]);
});

test('messages may quote any text of a file, and their number and length are limited', async () => {
  const worker = { id: 'worker', userPermit: undefined, hasProducers: false };
  const url = database.bindings.DATABASE_URL as string;
  const store = await openJobStore(url, worker, () => undefined);
  const id = '00000000-0000-4000-8000-000000000100';
  await database.query(
    `INSERT INTO chart_job (id, account_id, is_public, kind, state) VALUES ($1, 'acme', false, 'rebuild', 'processing')`,
    [id],
  );
  const job = { id } as Job;
  const progress = jobProgress(store, job);
  progress.log('warning', 'a\0b\uD800c😀');
  progress.log('warning', 'x'.repeat(100_000));
  for (let i = 0; i < 50_000; i++) progress.log('warning', 'nested');
  progress.log('error', 'It failed.');
  await progress.close('failed');
  await store.end(job, { state: 'failed', message: 'a\0b' });
  await store.close();
  const { rows } = await database.query('SELECT logs, result FROM chart_job WHERE id = $1', [id]);
  const texts = (rows[0].logs as { message: string }[]).map(({ message }) => message);
  expect(texts).toHaveLength(902);
  expect([texts[0], texts[1]?.length]).toEqual(['a\uFFFDb\uFFFDc😀', 2001]);
  expect(texts.slice(-2)).toEqual(['Further messages are not stored.', 'It failed.']);
  expect(rows[0].result.message).toBe('a\uFFFDb');
});
