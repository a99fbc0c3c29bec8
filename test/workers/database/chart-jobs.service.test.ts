// The order in which workers take jobs of charts.

import { afterAll, beforeAll, expect, test } from 'vitest';
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
