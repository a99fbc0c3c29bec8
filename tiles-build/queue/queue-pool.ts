// A build pool whose jobs run in other processes on any number of machines. Files go through the
// store (a shared folder or bucket), jobs and results through PostgreSQL. Jobs that need the results
// of all others run in this process.

import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { makeWorkerUtils } from 'graphile-worker';
import type { Client, Pool } from 'pg';
import { backgroundFiles } from '../background/background-layers.ts';
import { digestOf, openBuildCache, writeJson } from '../pipeline/build-cache.ts';
import type { BuildPool } from '../pipeline/build-context.ts';
import { openBuildThreads } from '../pipeline/build-threads.ts';
import { codeDigest } from '../pipeline/code-digest.ts';
import type { BuildAnswer, BuildJob } from '../pipeline/jobs.ts';
import { type QueuedJob, withPaths } from './job-paths.ts';
import { folderKey, keyOfCached, type PackStore } from './pack-store.ts';
import {
  ANSWERS,
  type BuildOutcome,
  connect,
  failedJobs,
  findAnswer,
  forgetAnswers,
  jobStates,
  makeTables,
  openPool,
  removeDeadWorkers,
} from './queue-database.ts';
import { silent } from './silent.ts';
import { OWN_FOLDERS, taskOf } from './task.ts';

/** Maximum number of attempts of a job. */
const TRIES = 3;
const WATCH_MS = 1000;
/** Polls without a worker before a message, and polls between two checks for missed results. */
const PATIENCE = 10;

interface QueueOptions {
  /** Address of the PostgreSQL database. */
  readonly url: string;
  readonly store: PackStore;
  /** Called when no worker has run for PATIENCE polls, and when workers run again. */
  readonly note: (text: string) => void;
  /**
   * Runs the jobs that stay in this process, instead of the pool's own thread; closed with the
   * pool.
   */
  readonly threads?: BuildPool | undefined;
  /** Time between polls of the workers; default 1 s. */
  readonly watchMs?: number | undefined;
}

/** A requested job, with store keys instead of paths. */
interface Waiting {
  readonly job: QueuedJob;
  readonly done: (outcome: BuildOutcome) => void;
}

/** Open the pool. @throws Error if the database cannot be reached */
export async function openQueuePool(options: QueueOptions): Promise<BuildPool> {
  const { url, store, note } = options;
  const client = await connect(url);
  await makeTables(client);
  const task = taskOf(codeDigest(), store.place);
  const threads = options.threads ?? openBuildThreads(1);
  const waiting = new Map<string, Waiting>();
  const asked = new Set<string>();
  /** Jobs that this build has queued. Failures of jobs queued by an earlier build do not count. */
  const added = new Set<string>();
  let lost: Error | undefined;

  const end = (key: string, outcome: BuildOutcome) => {
    waiting.get(key)?.done(outcome);
    waiting.delete(key);
  };
  const lose = (error: Error) => {
    lost ??= error;
    for (const key of [...waiting.keys()]) end(key, failed(lost));
  };
  client.on('error', lose);
  const database = openPool(url, lose);
  const utils = await makeWorkerUtils({ pgPool: database, logger: silent });
  await utils.migrate();
  client.on('notification', ({ payload = '' }) => {
    if (!waiting.has(payload)) return;
    findAnswer(database, payload).then((answer) => answer && end(payload, answer), lose);
  });
  await client.query(`LISTEN ${ANSWERS}`);

  const add = (key: string, job: QueuedJob) =>
    utils
      .addJob(task, job, { jobKey: key, jobKeyMode: 'preserve_run_at', maxAttempts: TRIES })
      .then(() => added.add(key), lose);

  /**
   * Finds results whose notification was missed. Queues a job again if its result is missing: another
   * build that requested the same job may have deleted the result.
   */
  const findMissed = async () => {
    const keys = [...waiting.keys()].filter((key) => added.has(key));
    for (const { key, outcome, isQueued } of await jobStates(database, keys)) {
      const one = waiting.get(key);
      if (outcome !== null) end(key, outcome);
      else if (!isQueued && one !== undefined) await add(key, one.job);
    }
  };

  let polls = 0;
  let pollsWithoutWorker = 0;
  const watch = async () => {
    if (waiting.size === 0) return;
    if (++polls % PATIENCE === 0) await findMissed();
    const { processes, dead } = await removeDeadWorkers(database, task);
    if (dead.length > 0) await utils.forceUnlockWorkers(dead);
    const queued = new Set([...waiting.keys()].filter((key) => added.has(key)));
    for (const [key, outcome] of await failedJobs(database, task)) {
      if (queued.has(key)) end(key, outcome);
    }
    if (processes > 0 && pollsWithoutWorker >= PATIENCE) note('Workers are running again.');
    pollsWithoutWorker = processes > 0 ? 0 : pollsWithoutWorker + 1;
    if (pollsWithoutWorker === PATIENCE)
      note('No worker is running: start `charts work` on one or more machines.');
  };
  let watching = Promise.resolve();
  const timer = setInterval(() => {
    watching = watching.then(watch).catch(lose);
  }, options.watchMs ?? WATCH_MS);

  /** Queue a job and wait for its result. */
  const send = async (job: QueuedJob): Promise<BuildOutcome> => {
    const { portable, reads, writes } = await portableOf(job, store);
    const key = digestOf(task, JSON.stringify(portable));
    asked.add(key);
    for (const [name, path] of reads) await store.put(name, path);
    // An earlier build that was killed may have left a result of the same job.
    const before = await findAnswer(database, key);
    if (before?.ok === true && (await haveAll(store, writes))) return before;
    await forgetAnswers(database, [key]);
    const outcome = await new Promise<BuildOutcome>((done) => {
      waiting.set(key, { job: portable, done });
      if (lost !== undefined) return end(key, failed(lost));
      void add(key, portable);
    });
    if (outcome.ok) for (const [name, path] of writes) await store.get(name, path);
    return outcome;
  };

  return {
    size: Number.POSITIVE_INFINITY,
    run: async (job: BuildJob) => {
      if (job.kind === 'plan' || job.kind === 'finish') return threads.run(job);
      try {
        const outcome = await send(job);
        return keepScan(job, outcome);
      } catch (error) {
        return failed(error);
      }
    },
    close: async () => {
      clearInterval(timer);
      await watching;
      await forgetAnswers(database, [...asked]).catch(() => undefined);
      await utils.release();
      await Promise.all([closed(client), closed(database), threads.close(), store.close()]);
    },
  };
}

/** A failure of the store, the database or this machine. It stops the build. */
const failed = (error: unknown): BuildOutcome => ({
  ok: false,
  reason: 'machine',
  message: error instanceof Error ? error.message : String(error),
});

/** Ignores errors, because the connection may already be lost. */
const closed = (connection: Client | Pool): Promise<void> =>
  connection.end().catch(() => undefined);

type Named = readonly (readonly [key: string, path: string])[];

/** A job with store keys instead of paths, and the files that it reads and writes. */
async function portableOf(job: QueuedJob, store: PackStore) {
  const inputs = new Map<string, string>();
  const note = (path: string) => {
    inputs.set(path, '');
    return path;
  };
  const keep = (path: string) => path;
  const same = { write: keep, keep, folder: keep, own: () => '' };
  // The key of a cell file is the hash of its bytes; cached files already have content-based names.
  if (job.kind !== 'merge') withPaths(job, { ...same, read: note });
  for (const path of inputs.keys()) {
    inputs.set(path, isPlanOf(job, path) ? keyOfCached(path) : await store.keyOfInput(path));
  }
  const reads = new Map<string, string>();
  const writes = new Map<string, string>();
  const named = (all: Map<string, string>, key: string, path: string) => {
    all.set(key, path);
    return key;
  };
  const portable = withPaths(job, {
    read: (path) => named(reads, inputs.get(path) ?? keyOfCached(path), path),
    write: (path) => named(writes, keyOfCached(path), path),
    keep: (path) => {
      const key = keyOfCached(path);
      return existsSync(path) ? named(reads, key, path) : key;
    },
    folder: (path) => {
      if (job.kind !== 'slice' || job.source.kind !== 'background') return path;
      const key = folderKey(job.source.background.digest);
      for (const file of backgroundFiles(path)) named(reads, `${key}/${basename(file)}`, file);
      return key;
    },
    own: (kind) => OWN_FOLDERS[kind],
  });
  return { portable, reads: [...reads] as Named, writes: [...writes] as Named };
}

const isPlanOf = (job: QueuedJob, path: string): boolean =>
  job.kind === 'slice' && job.plan.pack === path;

async function haveAll(store: PackStore, files: Named): Promise<boolean> {
  for (const [key, path] of files) if (!(await store.find(key, path))) return false;
  return true;
}

/** Store the result of a scan in the local cache, as if it had run here. */
function keepScan(job: QueuedJob, outcome: BuildOutcome): BuildOutcome {
  if (job.kind !== 'scan' || !outcome.ok) return outcome;
  const answer = outcome.value as Extract<BuildAnswer, { kind: 'scan' }>;
  const cache = openBuildCache(job.cacheFolder);
  if (!cache.has('scans', answer.key)) writeJson(cache.path('scans', answer.key), answer.scan);
  return outcome;
}
