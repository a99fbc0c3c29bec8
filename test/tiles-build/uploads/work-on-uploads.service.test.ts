// A worker with a database: jobs that end after their charts were published, postponed jobs, and tasks between jobs.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FileBucket } from '../../../tiles-build/publish/bucket.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { publishBuild } from '../../../tiles-build/publish/publish.ts';
import { bucketOfSet } from '../../../tiles-build/publish/set-pointers.ts';
import { BucketBusy } from '../../../tiles-build/publish/unfinished-uploads.ts';
import { buildFolder } from '../../../tiles-build/uploads/change-charts.ts';
import { workOnUploads } from '../../../tiles-build/uploads/work-on-uploads.ts';
import { withClient } from '../../../workers/host/database/local-database.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writeSmallBuild } from '../publish/support/small-build.ts';

const scratch = scratchFolder();
const newFolder = () => mkdtempSync(join(scratch, 'folder-'));
const JOB = '00000000-0000-4000-8000-000000000001';
const UPLOAD = '00000000-0000-4000-8000-000000000002';

let database: TestDatabase;
let bucket: FileBucket;
let work: string;
beforeEach(async () => {
  database = await freshDatabase();
  bucket = openFolderBucket(newFolder());
  work = newFolder();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  return database.stop();
});

const addJob = (
  kind: string,
  more: { isPublic?: boolean; build?: string; state?: string; isCancelled?: boolean } = {},
) =>
  database.query(
    `INSERT INTO chart_job (id, account_id, is_public, kind, upload_id, build_id, state, is_cancelled)
      VALUES ($1, 'acme', $2, $3, $4, $5, $6, $7)`,
    [
      ...[JOB, more.isPublic === true, kind, /upload|delete/.test(kind) ? UPLOAD : null],
      ...[more.build ?? null, more.state ?? 'pending', more.isCancelled === true],
    ],
  );
const addUpload = (state: string, age = 0) =>
  database.query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, updated_at, cells)
      VALUES ($1, 'acme', false, 'token:t', 'a.zip', $2, now_ms() - $3::bigint, $4)`,
    [UPLOAD, state, age, JSON.stringify([{ name: 'ZZ5ACME1', outcome: 'accepted' }])],
  );
const rowOf = async (table: string) => (await database.query(`SELECT * FROM ${table}`)).rows[0];

/** Publishes builds of the account. @returns their ids */
async function publishBuilds(...texts: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    const { folder, buildId } = await writeSmallBuild(newFolder(), text);
    await publishBuild(folder, bucketOfSet(bucket, 'acme'));
    ids.push(buildId);
  }
  return ids;
}

const options = (note: (text: string) => void = () => undefined) => ({
  ...{ bucket, work, enc: [], threads: 1, url: database.bindings.DATABASE_URL as string },
  note,
});

/** Runs a worker until something is true. @returns its notes */
async function workUntil(isDone: (notes: string) => Promise<boolean> | boolean): Promise<string> {
  const notes: string[] = [];
  const worker = await workOnUploads(options((text) => void notes.push(text)));
  try {
    await expect.poll(() => isDone(notes.join('\n'))).toBe(true);
  } finally {
    await worker.stop();
  }
  return notes.join('\n');
}
const hasEnded = async () => !['pending', 'processing'].includes((await rowOf('chart_job')).state);

test.each([
  ['succeeds if its charts are published', 'same', 'succeeded', true],
  ['is cancelled if other charts are published', 'other', 'cancelled', false],
])('an upload that is cancelled after its worker was killed %s', async (_, last, state, isLive) => {
  const [id] = await publishBuilds('with the upload', ...(last === 'same' ? [] : ['another']));
  await addUpload('processing');
  await addJob('upload', { build: id!, state: 'processing', isCancelled: true });
  await workUntil(hasEnded);
  expect((await rowOf('chart_job')).state).toBe(state);
  expect(await rowOf('chart_upload')).toMatchObject({ state, is_live: isLive });
  // The version of the charts is listed with its cells.
  const cells = (await rowOf('chart_set_build'))?.cells;
  expect(cells).toEqual(isLive ? ['ZZ5ACME1'] : undefined);
});

test('an upload whose worker was killed after it published is not processed again', async () => {
  const [id] = await publishBuilds('with the upload');
  await addUpload('processing');
  await addJob('upload', { build: id!, state: 'processing' });
  await workUntil(hasEnded);
  expect(await rowOf('chart_job')).toMatchObject({
    ...{ state: 'succeeded', steps: [] },
    result: { message: 'The charts are published.', buildId: id },
  });
  // The charts are built again: the public build below is not known.
  expect(await rowOf('chart_set')).toEqual({ account_id: 'acme', public_build: '' });
});

test('a job ends if the pointer of its charts is damaged', async () => {
  await addUpload('processing');
  await addJob('upload', { build: 'b', state: 'processing', isCancelled: true });
  await bucket.putText('sets/acme/current.json', 'damaged');
  await workUntil(hasEnded);
  expect((await rowOf('chart_job')).state).toBe('cancelled');
});

test('a job of charts that cannot be read delays no other charts', async () => {
  await addUpload('processing');
  await addJob('upload', { build: 'b', state: 'processing' });
  await database.query(
    `INSERT INTO chart_job (id, account_id, is_public, kind) VALUES ($1, 'other', false, 'erase')`,
    [UPLOAD],
  );
  const { readText } = bucket;
  const failing = async (key: string) => {
    if (key === 'sets/acme/current.json') throw new Error('not readable');
    return readText(key);
  };
  bucket = { ...bucket, readText: failing };
  await workUntil(async () => {
    const { rows } = await database.query('SELECT state, logs FROM chart_job ORDER BY id');
    return rows[0].logs.length > 0 && rows[1].state === 'succeeded';
  });
  expect((await rowOf(`chart_job WHERE id = '${JOB}'`)).logs[0].message).toBe(
    'The storage of the charts is unavailable. The job continues in a minute.',
  );
});

test('a job is continued later while builds are being deleted', async () => {
  await addJob('rebuild');
  const readText = async () => {
    throw new BucketBusy('busy');
  };
  bucket = { ...bucket, readText };
  await workUntil((text) => text.includes('is continued later'));
  expect((await rowOf('chart_job')).state).toBe('processing');
});

test('a deletion states that files are still stored, and can be repeated', async () => {
  await addUpload('deleting');
  await publishBuilds('charts of the account');
  await database.query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, is_live, cells)
      VALUES (gen_random_uuid(), 'acme', false, 'token:t', 'b.zip', 'succeeded', true, $1)`,
    [JSON.stringify([{ name: 'ZZ5ACME2', outcome: 'accepted' }])],
  );
  await addJob('delete');
  const sealed = join(work, 'sealed/acme');
  mkdirSync(sealed, { recursive: true });
  const { list } = bucket;
  const failing = async (prefix: string) => {
    if (prefix.startsWith('chart-uploads/')) throw new Error('The bucket is unavailable.');
    return list(prefix);
  };
  bucket = { ...bucket, list: failing };
  const notes = await workUntil(hasEnded);
  expect(notes).toContain('The bucket is unavailable.');
  expect((await rowOf('chart_job')).result.message).toMatch(/^The cells are no longer part/);
  await database.query("UPDATE chart_job SET state = 'pending'");
  bucket = { ...bucket, list };
  await workUntil(hasEnded);
  expect((await rowOf('chart_job')).state).toBe('succeeded');
  expect((await rowOf('chart_upload')).id).not.toBe(UPLOAD);
  expect(existsSync(sealed)).toBe(false);
});

test('a deletion needs no public charts unless other uploads remain', async () => {
  await bucket.putText('current.json', 'damaged');
  await addUpload('deleting');
  await database.query('UPDATE chart_upload SET is_live = true');
  await database.query(
    `INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state, is_live, cells)
      VALUES (gen_random_uuid(), 'acme', false, 'token:t', 'b.zip', 'succeeded', true, $1)`,
    [JSON.stringify([{ name: 'ZZ5ACME2', outcome: 'accepted' }])],
  );
  await addJob('delete');
  await workUntil(hasEnded);
  expect(await rowOf('chart_job')).toMatchObject({
    state: 'failed',
    result: { message: expect.stringMatching(/^The public charts are damaged, and the charts/) },
  });
  await database.query("DELETE FROM chart_upload WHERE filename = 'b.zip'");
  await database.query("UPDATE chart_job SET state = 'pending'");
  await workUntil(hasEnded);
  expect((await rowOf('chart_job')).state).toBe('succeeded');
  expect(await rowOf('chart_upload')).toBeUndefined();
});

test('a deletion that fails before does not state that nothing was changed', async () => {
  await addUpload('deleting');
  await addJob('delete');
  const readText = async () => {
    throw new Error('The bucket is unavailable.');
  };
  bucket = { ...bucket, readText };
  await workUntil(hasEnded);
  expect((await rowOf('chart_job')).result.message).toBe(
    'The deletion is not complete. Retry the job.',
  );
});

test('a worker that stops while it takes a job leaves no timer', async () => {
  await addJob('erase');
  const set = vi.spyOn(globalThis, 'setInterval');
  const clear = vi.spyOn(globalThis, 'clearInterval');
  await withClient(database.ownerUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM chart_job FOR UPDATE');
    const worker = await workOnUploads(options());
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await database.query(waits)).rowCount).toBe(1);
    const stopped = worker.stop();
    await client.query('COMMIT');
    await stopped;
  });
  const started = set.mock.results.map(({ value }) => value);
  const ended = new Set(clear.mock.calls.map(([timer]) => timer));
  expect(started.filter((timer) => !ended.has(timer))).toEqual([]);
});

test('a job is continued later if the database stalls', async () => {
  await addJob('rebuild');
  await withClient(database.ownerUrl, async (client) => {
    await client.query('BEGIN');
    const { readText } = bucket;
    const locking = async (key: string) => {
      // The next statement of the job reads this table.
      if ((await rowOf('chart_job')).state === 'processing')
        await client.query('LOCK TABLE chart_upload');
      return readText(key);
    };
    bucket = { ...bucket, readText: locking };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const worker = await workOnUploads(options());
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await database.query(waits)).rowCount).toBe(1);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await client.query('ROLLBACK');
    const ended = worker.ended.catch((error: Error) => error.message);
    await expect
      .poll(() => Promise.race([ended, 'works']))
      .toBe('Query read timeout')
      .finally(worker.stop);
  });
  expect((await rowOf('chart_job')).state).toBe('processing');
});

test('a return to an earlier version succeeds if older versions cannot be deleted', async () => {
  const ids = await publishBuilds('1', '2', '3', '4', '5');
  await addJob('rollback', { build: ids[3]! });
  const { delete: remove } = bucket;
  const delete_ = async (key: string) => {
    if (/^(builds|uploads)\//.test(key)) throw new Error('unavailable');
    await remove(key);
  };
  bucket = { ...bucket, delete: delete_ };
  await workUntil(hasEnded);
  const job = await rowOf('chart_job');
  expect([job.state, job.logs[0]?.message]).toEqual([
    'succeeded',
    'Old versions of the charts are deleted later.',
  ]);
  expect((await rowOf('chart_set_build')).build_id).toBe(ids[3]);
});

test('a job is continued later if the folder of builds is locked', async () => {
  const lock = join(buildFolder(work), '.lock');
  mkdirSync(lock, { recursive: true });
  writeFileSync(join(lock, '1 replaced-container x'), '');
  await addJob('rebuild', { isPublic: true });
  const notes = await workUntil((text) => text.includes('is continued later'));
  expect(notes).toContain('replaced-container');
  const job = await rowOf('chart_job');
  expect(job).toMatchObject({ state: 'processing', attempts: 1 });
  expect(job.logs.at(-1).message).toBe(
    'Another process uses the folder of the worker. The job continues in a minute.',
  );
});

test('a worker deletes copies of unknown uploads and accounts before it takes a job', async () => {
  await addUpload('succeeded');
  const paths = ['uploads/gone', 'uploads/half.unfinished', `uploads/${UPLOAD}`]
    .concat('sealed/gone', 'sealed/acme')
    .map((one) => join(work, one));
  for (const path of paths) mkdirSync(path, { recursive: true });
  let seen: readonly string[] = [];
  const { list } = bucket;
  bucket = {
    ...bucket,
    list: async (prefix) => {
      // The job deletes the copies of its account.
      if (prefix.startsWith('chart-uploads/')) seen = paths.filter((path) => existsSync(path));
      return list(prefix);
    },
  };
  await addJob('erase');
  await workUntil(hasEnded);
  expect(seen).toEqual([join(work, 'uploads', UPLOAD)]);
});

test('a worker stays if the bucket is unavailable, and forgets uploads after their files', async () => {
  await addUpload('receiving', 90_000_000);
  await addJob('erase');
  const file = `chart-uploads/acme/${UPLOAD}/0-0`;
  await bucket.putText(file, 'a piece');
  const { readText, delete: remove } = bucket;
  const fail = async () => {
    throw new Error('The bucket is unavailable.');
  };
  bucket = { ...bucket, readText: fail, delete: fail };
  const notes = await workUntil(hasEnded);
  expect(notes).toContain('Housekeeping failed: The bucket is unavailable.');
  expect((await rowOf('chart_upload')).id).toBe(UPLOAD);
  bucket = { ...bucket, readText, delete: remove };
  await workUntil(async () => (await rowOf('chart_upload')) === undefined);
  expect(await bucket.list('chart-uploads/')).toEqual([]);
  expect(readdirSync(work)).toEqual([]);
});
