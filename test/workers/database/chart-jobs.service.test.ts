// The order in which workers take jobs of charts, and what they store of them.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('jobs that are repeated', () => {
  const ID = (number: number) => `00000000-0000-4000-8000-0000000003${number}`;
  beforeEach(() =>
    database.query('TRUNCATE chart_job, chart_upload, chart_set, chart_set_build, chart_schedule'),
  );
  const add = (
    number: number,
    kind: string,
    state: string,
    age = 0,
    upload: string | null = null,
  ) =>
    database.query(
      `INSERT INTO chart_job (id, account_id, is_public, kind, state, attempts, created_at, updated_at, upload_id)
        VALUES ($1, 'acme', $2, $3, $4, 31, $5, now_ms() - $6::bigint, $7)`,
      [ID(number), kind === 'refresh', kind, state, number, age, upload],
    );
  /** The last digits, state and attempts of each job. */
  const jobs = async () => {
    const { rows } = await database.query('SELECT * FROM chart_job ORDER BY created_at');
    return rows.map(({ id, state, attempts }) => `${id.slice(-2)} ${state} ${attempts}`);
  };
  const HOUR = 3_600_000;

  test('a rebuild that failed is repeated in its row, once an hour', async () => {
    await database.query("INSERT INTO chart_set VALUES ('acme', 'old')");
    await add(10, 'rebuild', 'failed', 2 * HOUR);
    await add(11, 'rebuild', 'failed', HOUR - 60_000);
    await database.query("SELECT work_rebuild('new')");
    expect(await jobs()).toEqual(['10 failed 31', '11 failed 31']);
    await database.query('UPDATE chart_job SET updated_at = updated_at - 61000');
    await database.query("SELECT work_rebuild('new')");
    await database.query("SELECT work_rebuild('new')");
    expect(await jobs()).toEqual(['10 failed 31', '11 pending 0']);
    await database.query('DELETE FROM chart_job');
    await database.query("SELECT work_rebuild('new')");
    expect(await jobs()).toEqual([expect.stringContaining(' pending 0')]);
  });

  test('a scheduled refresh that failed is repeated after an hour', async () => {
    await add(10, 'refresh', 'failed', 2 * HOUR);
    const nextAt = (ms: number) =>
      database.query("INSERT INTO chart_schedule VALUES (true, 'acme', 'day', now_ms() + $1)", [
        ms,
      ]);
    await database.query('SELECT work_schedule()');
    expect(await jobs()).toEqual(['10 failed 31']);
    await nextAt(HOUR);
    await database.query('SELECT work_schedule()');
    expect(await jobs()).toEqual(['10 pending 0']);
    await database.query("UPDATE chart_job SET state = 'succeeded'");
    await database.query('SELECT work_schedule()');
    expect(await jobs()).toEqual(['10 succeeded 0']);
    // The clock was set back by two days.
    await database.query('UPDATE chart_schedule SET next_at = next_at + 172800000');
    await database.query('SELECT work_schedule()');
    expect(await jobs()).toEqual(['10 succeeded 0', expect.stringContaining(' pending 0')]);
  });

  test('a refresh is offered only to workers with producers', async () => {
    await add(10, 'refresh', 'pending');
    const offered = async (hasProducers: boolean) =>
      (await database.query("SELECT id FROM work_jobs('w', NULL, $1)", [hasProducers])).rowCount;
    expect([await offered(false), await offered(true)]).toEqual([0, 1]);
  });

  test('another request repeats a deletion that failed', async () => {
    await addUpload(ID(50), 'deleting');
    await add(10, 'delete', 'failed', 0, ID(50));
    const who = { token: 't', account: 'acme', generation: 0 };
    const values = [JSON.stringify(who), ID(50), ID(11)];
    await database.query('SELECT charts_delete($1, $2, $3)', values);
    expect(await jobs()).toEqual(['10 pending 0']);
  });

  test('a rebuild and an erasure that failed before the clock was set back are repeated', async () => {
    await database.query("INSERT INTO chart_set VALUES ('acme', 'old')");
    await add(10, 'rebuild', 'failed', -2 * HOUR);
    await database.query("SELECT work_rebuild('new')");
    await add(11, 'erase', 'failed', -2 * HOUR);
    await database.query('SELECT work_abandoned()');
    expect(await jobs()).toEqual(['10 pending 0', '11 pending 0']);
  });

  test('a refresh fails after an hour without a worker with producers', async () => {
    await database.query('DELETE FROM chart_worker');
    const seen = (ms: number) =>
      database.query("INSERT INTO chart_worker VALUES ('w', now_ms() - $1::bigint, NULL, true)", [
        ms,
      ]);
    await seen(HOUR - 60_000);
    await add(10, 'refresh', 'pending', HOUR + 60_000);
    await database.query('SELECT work_abandoned()');
    expect(await jobs()).toEqual(['10 pending 31']);
    await database.query('DELETE FROM chart_worker');
    await seen(HOUR + 60_000);
    await add(11, 'refresh', 'pending', HOUR - 60_000);
    await database.query('SELECT work_abandoned()');
    expect(await jobs()).toEqual(['10 failed 31', '11 pending 31']);
    const { rows } = await database.query("SELECT result FROM chart_job WHERE state = 'failed'");
    expect(rows[0].result).toEqual({
      message: expect.stringContaining('No worker with producers is connected.'),
      buildId: null,
    });
  });

  test('a return is repeated only while no other runs and its uploads exist', async () => {
    await database.query("INSERT INTO chart_set_build VALUES ('acme', 'b1', 1, $1, '{}')", [
      [ID(50)],
    ]);
    await addUpload(ID(50), 'succeeded');
    for (const number of [10, 11]) await add(number, 'rollback', 'failed');
    await database.query("UPDATE chart_job SET build_id = 'b1'");
    const retry = (number: number) =>
      database.query("SELECT charts_change_job($1, $2, 'pending')", [
        ...['{"token":"t","account":"acme","generation":0}', ID(number)],
      ]);
    await retry(10);
    await expect(retry(11)).rejects.toThrow('job_returning');
    await database.query("UPDATE chart_job SET state = 'failed'");
    await database.query("UPDATE chart_upload SET state = 'deleting'");
    await expect(retry(11)).rejects.toThrow('job_set_gone');
    await database.query("UPDATE chart_upload SET state = 'succeeded'");
    await database.query('DELETE FROM chart_set_build');
    await expect(retry(11)).rejects.toThrow('job_set_gone');
  });

  test('an upload that is repeated does not keep the build of an earlier attempt', async () => {
    await addUpload(ID(50), 'failed');
    await add(10, 'upload', 'failed');
    await add(11, 'rollback', 'failed');
    await database.query("UPDATE chart_job SET build_id = 'b1'");
    await database.query('SELECT repeat_jobs($1)', [[ID(10), ID(11)]]);
    const { rows } = await database.query('SELECT build_id FROM chart_job ORDER BY id');
    expect(rows.map(({ build_id }) => build_id)).toEqual([null, 'b1']);
  });

  test('an abandoned upload is not processed if its last files arrive late', async () => {
    await addUpload(ID(50), 'receiving');
    await database.query('UPDATE chart_upload SET updated_at = 0');
    const who = { token: 't', account: 'acme', generation: 0 };
    const values = [JSON.stringify(who), ID(50), '[]', 1, ID(11)];
    const received = database.query('SELECT charts_received($1, $2, $3, $4, $5)', values);
    await expect(received).rejects.toThrow('upload_unknown');
    expect(await jobs()).toEqual([]);
  });

  test('an abandoned upload of an erased account stays without content until its files are deleted', async () => {
    await addUpload(ID(50), 'receiving');
    await addUpload(ID(51), 'succeeded');
    await database.query(
      "INSERT INTO account (id, plan, erased_at) VALUES ('acme', 'standard', 1)",
    );
    const abandoned = async () => (await database.query('SELECT * FROM work_abandoned()')).rows;
    expect(await abandoned()).toEqual([]);
    const erased = { id: ID(50), actor: 'erased', filename: 'erased' };
    const { rows } = await database.query('SELECT * FROM chart_upload');
    expect(rows).toMatchObject([erased]);
    await database.query('UPDATE chart_upload SET updated_at = now_ms() - 86500000');
    for (let i = 0; i < 2; i++) expect(await abandoned()).toMatchObject([erased]);
    await database.query('SELECT work_forget($1)', [ID(50)]);
    expect(await abandoned()).toEqual([]);
  });
});

describe('what the end of a job records', () => {
  const [JOB, UPLOAD] = [5, 6].map((n) => `00000000-0000-4000-8000-00000000040${n}`);
  beforeEach(async () => {
    await database.query('TRUNCATE chart_job, chart_upload, chart_set');
    await database.query("INSERT INTO chart_set VALUES ('acme', 'old')");
    await addUpload(UPLOAD!, 'processing');
  });
  const begin = (kind: string) =>
    database.query(
      `INSERT INTO chart_job (id, account_id, is_public, kind, state, upload_id)
        VALUES ($1, 'acme', false, $2, 'processing', $3)`,
      [JOB, kind, UPLOAD],
    );
  const sets = async () =>
    (await database.query('SELECT public_build FROM chart_set')).rows.map(
      (one) => one.public_build,
    );

  test.each([
    ['stays if the job built nothing', null, 'new', ['old']],
    ['is that of the new charts', 'b', 'new', ['new']],
    ['is forgotten with the charts', null, null, []],
  ])('the public build below the charts %s', async (_, buildId, over, expected) => {
    await begin('delete');
    await database.query("SELECT work_end($1, 'succeeded', $2, NULL, $3, NULL)", [
      ...[JOB, JSON.stringify({ buildId }), over],
    ]);
    expect(await sets()).toEqual(expected);
  });

  test.each([
    ['failed', []],
    ['succeeded', ['ZZ5ACME1']],
  ])('cells that were about to be published, if the upload %s', async (state, expected) => {
    await begin('upload');
    await database.query('SELECT work_publish($1, $2, $3)', [JOB, 'b', '[{"name":"ZZ5ACME1"}]']);
    await database.query("SELECT work_end($1, $2, '{}', NULL, '', NULL)", [JOB, state]);
    const { rows } = await database.query('SELECT cells FROM chart_upload');
    expect(rows[0].cells.map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  test('other jobs do not use an upload whose files are being deleted', async () => {
    await database.query("UPDATE chart_upload SET state = 'deleting', is_live = true");
    await begin('upload');
    const isLive = async () =>
      (await database.query('SELECT is_live FROM chart_upload')).rows[0].is_live;
    await database.query('SELECT work_removed($1)', [JOB]);
    expect(await isLive()).toBe(true);
    await database.query("UPDATE chart_job SET kind = 'delete'");
    await database.query('SELECT work_removed($1)', [JOB]);
    expect(await isLive()).toBe(false);
    // The charts are built again if the job does not record their build.
    expect(await sets()).toEqual(['']);
  });

  test('an account that has only uploads to the public charts has no local files', async () => {
    const known = async () =>
      (await database.query("SELECT work_known('{acme}') AS name")).rows.map(({ name }) => name);
    expect(await known()).toEqual(['acme']);
    await database.query('UPDATE chart_upload SET is_public = true');
    expect(await known()).toEqual([]);
  });
});

function addUpload(id: string, state: string) {
  return database.query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state)
      VALUES ($1, 'acme', false, 'token:t', 'a.zip', $2)`,
    [id, state],
  );
}
