// Functions that run at the same time: none fails because another has locked the same rows in another order. Also
// the indexes of common queries, and the number of reports that a search examines.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../../workers/host/database/local-database.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

const PATIENTLY = { timeout: 20_000 };
const WHO = `'{"session":"s"}'`;
const UPLOAD = `'00000000-0000-4000-8000-000000000001'`;
const JOB = `'00000000-0000-4000-8000-000000000002'`;
const REPORT = `'00000000-0000-4000-8000-000000000003'::uuid`;
const SESSION = `INSERT INTO portal_session (id, user_id, token, expires_at, created_at, updated_at)
  VALUES ('s', 'u', 't', 9007199254740991, 0, 0)`;

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await database.query(`INSERT INTO account (id, plan) VALUES ('a', 'standard')`);
  await database.query(
    `INSERT INTO portal_user (id, account_id, email, role, created_at, updated_at)
     VALUES ('u', 'a', 'u@a.example', 'administrator', 0, 0)`,
  );
  await database.query(SESSION);
});
afterAll(() => database?.stop());

/** Adds an upload of charts that waits for its job. */
async function addUpload(): Promise<void> {
  await database.query('DELETE FROM chart_upload');
  await database.query('DELETE FROM chart_job');
  await database.query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state)
     VALUES (${UPLOAD}, 'a', false, 'user:u', 'a.zip', 'pending')`,
  );
  await database.query(
    `INSERT INTO chart_job (id, account_id, is_public, kind, upload_id)
     VALUES (${JOB}, 'a', false, 'upload', ${UPLOAD})`,
  );
}

/** Adds reports of the account, created at 1, 2 and so on. @param more expressions of `n` by column */
const addReports = (count: number, more: Readonly<Record<string, string>> = {}) => {
  const columns = {
    ...{
      id: 'gen_random_uuid()',
      account_id: `'a'`,
      owner_subject: `'b'`,
      report_type: `'hazard'`,
    },
    ...{ latitude: '0', longitude: '0', place: '0', properties: `'{}'::json`, lifetime_ms: '1' },
    ...{ created_at: 'n', updated_at: '1', expires_at: '2', sweep_at: '2' },
    ...{ last_request: 'gen_random_uuid()', ...more },
  };
  return database.query(
    `INSERT INTO user_report (${Object.keys(columns).join()})
     SELECT ${Object.values(columns).join()} FROM generate_series(1, ${count}) AS n`,
  );
};

/** Runs the second statement between the two of a transaction. @returns what it refused */
function between(first: string, second: string, last: string): Promise<string | undefined> {
  return withClient(database.ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(first);
    const other = withClient(database.ownerUrl, (it) => it.query(second)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    await vi.waitUntil(async () => {
      const { rowCount } = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    }, PATIENTLY);
    await client.query(last);
    await client.query('COMMIT');
    return other;
  });
}

const LOCK_JOB = `SELECT FROM chart_job WHERE id = ${JOB} FOR UPDATE`;
const CHANGE_UPLOAD = `UPDATE chart_upload SET updated_at = 1 WHERE id = ${UPLOAD}`;

test.each([
  ['charts_change_job', `SELECT charts_change_job(${WHO}, ${JOB}, 'cancelled')`],
  ['charts_delete', `SELECT charts_delete(${WHO}, ${UPLOAD}, gen_random_uuid())`],
  ['work_take', `SELECT work_take(${JOB})`],
  ['erase_charts', `UPDATE account SET erased_at = 1 WHERE id = 'a'`],
])('%s locks a job before its upload', async (_, statement) => {
  await addUpload();
  expect(await between(LOCK_JOB, statement, CHANGE_UPLOAD)).toBeUndefined();
  await database.query(`UPDATE account SET erased_at = NULL WHERE id = 'a'`);
});

test('a job is taken with its upload', async () => {
  await addUpload();
  const { rows } = await database.query(`SELECT * FROM work_take(${JOB})`);
  expect(rows).toMatchObject([{ state: 'processing', attempts: 1 }]);
  const uploads = await database.query('SELECT state FROM chart_upload');
  expect(uploads.rows).toEqual([{ state: 'processing' }]);
  await database.query(`UPDATE chart_job SET state = 'succeeded'`);
  expect((await database.query(`SELECT * FROM work_take(${JOB})`)).rows).toEqual([]);
});

test('two schedules at once are both set, one after the other', async () => {
  const set = (every: string) => `SELECT charts_schedule(${WHO}, '${every}')`;
  expect(await between(set('day'), set('week'), 'SELECT 1')).toBeUndefined();
  const { rows } = await database.query('SELECT every FROM chart_schedule');
  expect(rows).toEqual([{ every: 'week' }]);
});

test('two workers start the same rebuild once', async () => {
  await database.query('DELETE FROM chart_job');
  await database.query(`INSERT INTO chart_set VALUES ('a', 'old')`);
  const rebuild = `SELECT work_rebuild('new')`;
  expect(await between(rebuild, rebuild, 'SELECT 1')).toBeUndefined();
  const { rowCount } = await database.query('SELECT FROM chart_job');
  expect(rowCount).toBe(1);
});

test('a worker asks for jobs of many accounts without reading all earlier jobs for each', async () => {
  await withClient(database.ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('DELETE FROM chart_job');
    await client.query(
      `INSERT INTO chart_job (id, account_id, is_public, kind, state, taken_at)
       SELECT gen_random_uuid(), 'a' || n % 200, false, 'rebuild',
         CASE WHEN n <= 200 THEN 'pending' ELSE 'succeeded' END, CASE WHEN n > 200 THEN n END
       FROM generate_series(1, 4200) AS n`,
    );
    await client.query('ANALYZE chart_job');
    const rowsRead = async () => {
      const { rows } = await client.query(
        `SELECT (seq_tup_read + idx_tup_fetch)::int AS n FROM pg_stat_xact_user_tables
         WHERE relname = 'chart_job'`,
      );
      return rows[0].n as number;
    };
    const before = await rowsRead();
    const { rows } = await client.query(`SELECT account_id FROM work_jobs('w', NULL)`);
    expect(rows).toHaveLength(100);
    // The last job of a1 was taken first.
    expect(rows[0]).toEqual({ account_id: 'a1' });
    expect((await rowsRead()) - before).toBeLessThan(10_000);
    await client.query('ROLLBACK');
  });
});

test('a session that ends while it is used is refused', async () => {
  const lockUser = `SELECT FROM portal_user WHERE id = 'u' FOR UPDATE`;
  const use = `SELECT portal_require_administrator('s')`;
  expect(await between(lockUser, use, 'DELETE FROM portal_session')).toBe('session_ended');
  await database.query(SESSION);
});

test.each([
  ['portal_revoke_token', `SELECT portal_revoke_token('s', 'token')`],
  ['portal_block_author', `SELECT portal_block_author('s', ${REPORT})`],
  ['portal_erase_person', `SELECT portal_erase_person('s', 'a', 'x', NULL)`],
])('%s waits for the writes of an account before it locks its user', async (_, statement) => {
  await database.query(
    `INSERT INTO api_token VALUES
       ('token', 'a', 'x', 'sk', 'standard', false, '{}', '{}', false, 1, NULL, NULL, 0)
     ON CONFLICT DO NOTHING`,
  );
  await database.query('DELETE FROM report_block');
  await database.query('DELETE FROM user_report');
  await addReports(1, { id: REPORT });
  const hold = `SELECT hold_writes('a')`;
  const changeUser = `UPDATE portal_user SET updated_at = 1 WHERE id = 'u'`;
  expect(await between(hold, statement, changeUser)).toBeUndefined();
});

test('a search for a text examines fewer reports than other lists', async () => {
  await database.query('DELETE FROM report_block');
  await database.query('DELETE FROM user_report');
  await addReports(2001, {
    report_type: `CASE n WHEN 1 THEN 'weather' ELSE 'hazard' END`,
    properties: `CASE n WHEN 1 THEN '{"a":"storm"}' WHEN 2 THEN '{"a":"squall"}' ELSE '{}' END::json`,
  });
  const list = async (kind: string, text: string) => {
    const { rows } = await database.query(
      `SELECT matches, (report).created_at::int AS time
       FROM portal_list_reports('s', 0, 'a', ${kind}, NULL, NULL, NULL, ${text}, NULL, 10)`,
    );
    return rows;
  };
  expect(await list('NULL', `'storm'`)).toEqual([{ matches: false, time: 2 }]);
  // The last examined report has a row for its match, and a row after which the next page continues.
  const atEnd = [
    { matches: true, time: 2 },
    { matches: false, time: 2 },
  ];
  expect(await list('NULL', `'squall'`)).toEqual(atEnd);
  expect(await list(`'weather'`, 'NULL')).toEqual([{ matches: true, time: 1 }]);
});

test('a page of own deleted reports reads as little if there are many', async () => {
  const page = async () => {
    const stretch = (end: number) => `array_fill(${end}::float8, ARRAY[8])`;
    const { rows } = await database.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
       SELECT * FROM page_reports(0, ${stretch(-1)}, ${stretch(-1)}, ${stretch(-180)}, ${stretch(180)},
         ARRAY['hazard'], -90, 90, 0, false, 'own', 'a', 'd', 1, 2)`,
    );
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return { rows: plan['Actual Rows'], blocks: plan['Shared Hit Blocks'] };
  };
  const deleted = { owner_subject: `'d'`, deleted_at: 'n' };
  await addReports(4, deleted);
  await database.query('ANALYZE user_report');
  await page();
  const few = await page();
  await addReports(20_000, deleted);
  await database.query('ANALYZE user_report');
  // The first query also reads the catalogue of the database.
  await page();
  const many = await page();
  expect([few.rows, many.rows]).toEqual([2, 2]);
  expect(many.blocks).toBeLessThan(few.blocks + 100);
});

test.each([
  ['api_token_replacing', `api_token WHERE replaced_by = 'x'`],
  ['chart_job_of_upload', `chart_job WHERE upload_id = ${JOB} ORDER BY created_at DESC LIMIT 1`],
  ['user_report_of_end_user', `user_report WHERE account_id = 'a' AND external_user_id = 'x'`],
  [
    'user_report_own_deleted',
    `user_report WHERE account_id = 'a' AND owner_subject = 'x' AND deleted_at IS NOT NULL
       ORDER BY created_at DESC, id DESC LIMIT 1`,
  ],
  ['report_vote_of_end_user', `report_vote WHERE account_id = 'a' AND external_user_id = 'x'`],
  ['portal_user_by_address', `portal_user WHERE account_id = 'a'`],
])('the index %s is used', async (name, query) => {
  await withClient(database.ownerUrl, async (client) => {
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query(`EXPLAIN SELECT FROM ${query}`);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(name);
  });
});
