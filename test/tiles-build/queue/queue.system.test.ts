// Builds on several processes over PostgreSQL and a file store, with processes that are killed. The
// output is byte-identical to that of a single process.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import type { BuildPool, BuildProgress } from '../../../tiles-build/pipeline/build-context.ts';
import { openPackStore, type PackStore } from '../../../tiles-build/queue/pack-store.ts';
import { openQueuePool } from '../../../tiles-build/queue/queue-pool.ts';
import { workOnQueue } from '../../../tiles-build/queue/work-on-queue.ts';
import { buildFiles } from '../../support/build-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { isLong } from '../../support/long-run.ts';
import { scriptOf } from '../../support/programs.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';
import { openS3Double, S3_BUCKET, S3_KEYS } from '../publish/support/s3-double.ts';

const PROCESSES = isLong ? 3 : 2;
const KILLS = isLong ? 20 : 2;
/** Arranged in two rows. */
const CELLS = isLong ? 16 : 2;

const scratch = scratchFolder();
const cells = join(scratch, 'cells');
const background = join(scratch, 'background');
let alone: Record<string, string>;
let database: TestDatabase;
const children: ChildProcess[] = [];
let folders = 0;
const newFolder = (name: string) => join(scratch, `${name}-${folders++}`);

beforeAll(async () => {
  writeSmallCells(cells, latticeOf(CELLS / 2, 2, [10, 50]));
  mkdirSync(join(cells, 'BROKEN01'));
  writeFileSync(join(cells, 'BROKEN01', 'BROKEN01.000'), 'this is no cell');
  writeSmallBackground(background, [10.05, 50]);
  const out = newFolder('alone');
  await buildCharts({ enc: [cells], background, out, jobs: 1, pool: keptThread() });
  alone = buildFiles(out);
  database = await freshDatabase();
  // The first worker creates the queue's tables.
  const work = await startWork(await openPackStore(newFolder('packs'), {}));
  await work.stop();
  await work.ended;
  // Retry failed jobs immediately instead of after three and seven seconds.
  await database.query(`
    CREATE FUNCTION at_once() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.run_at := least(NEW.run_at, now()); RETURN NEW; END';
    CREATE TRIGGER tried_at_once BEFORE UPDATE ON graphile_worker._private_jobs
      FOR EACH ROW EXECUTE FUNCTION at_once();`);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database?.stop();
});

/** Build in this process, with jobs on the queue. */
async function build(store: PackStore, progress?: BuildProgress) {
  const notes: string[] = [];
  const pool = await openQueuePool({
    url: database.ownerUrl,
    store,
    onMessage: (text) => notes.push(text),
    threads: keptThread(),
    pollMs: 100,
  });
  const out = newFolder('charts');
  const report = await buildCharts({ enc: [cells], background, out, jobs: 1, pool, progress });
  return { files: buildFiles(out), report, notes };
}

/** Run a worker in this process. */
const startWork = (store: PackStore, note: (text: string) => void = () => undefined) =>
  workOnQueue({
    url: database.ownerUrl,
    store,
    folder: newFolder('work'),
    jobs: 2,
    note,
    threads: keptThread(),
  });

/** Start a worker process and wait until it is ready. */
async function startProcess(packs: string): Promise<ChildProcess> {
  const words = ['--queue', database.ownerUrl, '--packs', packs, '--jobs', '1'];
  const child = spawn(process.execPath, [scriptOf('tiles-build/cli.ts'), 'work', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', (text) => {
      said += text;
      if (said.includes('jobs of the queue')) resolve();
    });
    child.once('exit', () => reject(new Error(said)));
  });
  return child;
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve));

test(`${PROCESSES} processes that are killed ${KILLS} times make the same archives as a single process`, async () => {
  const packs = newFolder('packs');
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(packs)));
  const random = seededRandom(2027);
  let kills = 0;
  const starting = new Map<number, Promise<void>>();
  const progress: BuildProgress = {
    start: () => undefined,
    step: () => {
      // Kill at random. One process always runs, and none is replaced twice at a time.
      if (kills === KILLS || random() < 0.5) return;
      const which = Math.floor(random() * PROCESSES);
      if (starting.has(which) || starting.size === PROCESSES - 1) return;
      kills++;
      processes[which]!.kill('SIGKILL');
      const replaced = startProcess(packs).then((child) => {
        processes[which] = child;
        starting.delete(which);
      });
      starting.set(which, replaced);
    },
  };
  // Replacing a process takes some steps, so one build may end before all kills are done.
  do {
    const { files, report } = await build(await openPackStore(packs, {}), progress);
    expect(report.manifest.cells.map(({ name, status }) => [name, status])).toContainEqual([
      'BROKEN01',
      'refused',
    ]);
    expect(files).toEqual(alone);
  } while (kills < KILLS);
  await Promise.all(starting.values());

  for (const child of processes) child.kill('SIGTERM');
  expect(await Promise.all(processes.map(ended))).toEqual(processes.map(() => 0));
  const left = await database.query('SELECT job FROM leadline_builds.answer');
  expect(left.rows).toEqual([]);
});

test('every running job is locked by a registered worker', async () => {
  const packs = await openPackStore(newFolder('packs'), {});
  const work = await startWork(packs);
  const looks: Promise<{ held: number; unknown: number }>[] = [];
  await build(packs, {
    start: () => undefined,
    step: () => {
      looks.push(heldJobs());
    },
  });
  const seen = await Promise.all(looks);
  expect(seen.some(({ held }) => held > 0)).toBe(true);
  expect(seen.filter(({ unknown }) => unknown > 0)).toEqual([]);
  await work.stop();
  await work.ended;
});

test('a stopped worker returns its jobs without counting the attempt', async () => {
  const packs = await openPackStore(newFolder('packs'), {});
  const closed = { ok: false, reason: 'crashed', message: 'closed' } as const;
  const held: ((outcome: typeof closed) => void)[] = [];
  let isClosed = false;
  const hanging: BuildPool = {
    size: 2,
    run: async () => (isClosed ? closed : new Promise((done) => void held.push(done))),
    close: async () => {
      isClosed = true;
      for (const done of held.splice(0)) done(closed);
    },
  };
  const stopped = await workOnQueue({
    url: database.ownerUrl,
    store: packs,
    folder: newFolder('work'),
    jobs: 2,
    note: () => undefined,
    threads: hanging,
  });
  const built = build(packs);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await stopped.stop();
  await stopped.ended;
  const { rows } = await database.query(
    'SELECT locked_by, attempts, last_error FROM graphile_worker.jobs',
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row).toEqual({ locked_by: null, attempts: 0, last_error: null });
  }
  const work = await startWork(packs);
  expect((await built).files).toEqual(alone);
  await work.stop();
  await work.ended;
});

/** Number of locked jobs, and of those whose worker is not registered. */
async function heldJobs(): Promise<{ held: number; unknown: number }> {
  const { rows } = await database.query(
    `SELECT count(*)::int AS held, count(*) FILTER (WHERE locked_by NOT IN
       (SELECT worker_id FROM leadline_builds.worker))::int AS unknown
     FROM graphile_worker.jobs WHERE locked_by IS NOT NULL`,
  );
  return rows[0] as { held: number; unknown: number };
}

test('a running worker refills a store that was emptied between two builds', async () => {
  const place = newFolder('packs');
  const work = await startWork(await openPackStore(place, {}));
  expect((await build(await openPackStore(place, {}))).files).toEqual(alone);
  rmSync(place, { recursive: true });
  expect((await build(await openPackStore(place, {}))).files).toEqual(alone);
  await work.stop();
  await work.ended;
});

test('a build requests results again that another build deleted', async () => {
  await database.query(`
    CREATE SEQUENCE answers_given;
    CREATE FUNCTION take_away() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF nextval(''answers_given'') <= 3 THEN RETURN NULL; END IF; RETURN NEW; END';
    CREATE TRIGGER taken_away BEFORE INSERT ON leadline_builds.answer
      FOR EACH ROW EXECUTE FUNCTION take_away();`);
  const packs = await openPackStore(newFolder('packs'), {});
  const work = await startWork(packs);
  const { files } = await build(packs);
  expect(files).toEqual(alone);
  const { rows } = await database.query('SELECT last_value::int AS given FROM answers_given');
  expect(rows[0]?.['given']).toBeGreaterThan(3);
  await work.stop();
  await work.ended;
  await database.query(`
    DROP TRIGGER taken_away ON leadline_builds.answer;
    DROP FUNCTION take_away;
    DROP SEQUENCE answers_given;`);
});

test('a build whose store fails ends with the reason and leaves no cell out', async () => {
  const place = newFolder('packs');
  const packs = await openPackStore(place, {});
  const work = await startWork(await openPackStore(place, {}));
  // The packs of one cell; their names do not identify the cell.
  const lost = new Set<string>();
  const store: PackStore = {
    ...packs,
    get: (key, path) =>
      lost.has(path) ? Promise.reject(new Error('the store is away')) : packs.get(key, path),
  };
  const pool = await openQueuePool({
    url: database.ownerUrl,
    store,
    onMessage: () => undefined,
    threads: keptThread(),
  });
  const run: typeof pool.run = (job) => {
    const isLost =
      job.kind === 'slice' && job.source.kind === 'cell' && job.source.location.name.endsWith('1');
    if (isLost) for (const path of Object.values(job.packs)) lost.add(path);
    return pool.run(job);
  };
  const built = buildCharts({
    enc: [cells],
    background,
    out: newFolder('charts'),
    jobs: 1,
    pool: { ...pool, run },
  });
  await expect(built).rejects.toThrow('the store is away');
  expect(lost.size).toBeGreaterThan(0);
  await work.stop();
  await work.ended;
});

test('a job that fails on every machine because of the store ends the build', async () => {
  const place = newFolder('packs');
  const packs = await openPackStore(place, {});
  const work = await startWork({
    ...packs,
    replace: () => Promise.reject(new Error('503 Slow Down')),
  });
  await expect(build(await openPackStore(place, {}))).rejects.toThrow('503 Slow Down');
  await work.stop();
  await work.ended;
});

test('a build transfers its files through an S3 bucket', async () => {
  const service = await openS3Double();
  const store = () =>
    openPackStore(`s3://${S3_BUCKET}`, {
      AWS_ENDPOINT_URL_S3: service.endpoint,
      AWS_ACCESS_KEY_ID: S3_KEYS.id,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secret,
    });
  const done: string[] = [];
  const work = await startWork(await store(), (text) => done.push(text));
  const { files, notes } = await build(await store());
  expect(files).toEqual(alone);
  expect(notes).toEqual([]);
  expect(done.filter((text) => text.startsWith('slice '))).toHaveLength(CELLS + 3);
  await work.stop();
  await work.ended;
  await service.close();
});
