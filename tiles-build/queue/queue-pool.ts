// A build pool whose jobs run in other processes on any number of machines. Files are exchanged
// through the store (a shared folder or bucket), jobs and results through PostgreSQL. Jobs that need
// the results of all other jobs run in this process.

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
  type BuildOutcome,
  connect,
  deleteResults,
  failedJobs,
  findResult,
  jobStates,
  makeTables,
  openPool,
  RESULT_CHANNEL,
  removeDeadWorkers,
} from './queue-database.ts';
import { silent } from './silent.ts';
import { OWN_FOLDERS, taskOf } from './task.ts';

/** Maximum number of attempts of a job. */
const MAX_ATTEMPTS = 3;
const POLL_MS = 1000;
/** Number of polls without a worker before a message. */
const POLLS_BEFORE_MESSAGE = 10;
/** Number of polls between two checks for missed results. */
const POLLS_PER_CHECK = 10;

interface QueueOptions {
  /** Address of the PostgreSQL database. */
  readonly url: string;
  readonly store: PackStore;
  /** Called when no worker has run for POLLS_BEFORE_MESSAGE polls, and when workers run again. */
  readonly onMessage: (text: string) => void;
  /** Runs the jobs that stay in this process; default: one thread. Closed with the pool. */
  readonly threads?: BuildPool | undefined;
  /** Time between polls of the workers; default 1 s. */
  readonly pollMs?: number | undefined;
}

/** A requested job, with store keys instead of paths. */
interface JobRequest {
  readonly job: QueuedJob;
  readonly resolve: (outcome: BuildOutcome) => void;
}

/** Open the pool. @throws Error if the database cannot be reached */
export async function openQueuePool(options: QueueOptions): Promise<BuildPool> {
  const { url, store, onMessage } = options;
  const client = await connect(url);
  await makeTables(client);
  const task = taskOf(codeDigest(), store.place);
  const threads = options.threads ?? openBuildThreads(1);
  const waiting = new Map<string, JobRequest>();
  const requestedKeys = new Set<string>();
  /** Jobs that this build has queued. Failures of an earlier build's jobs are ignored. */
  const queuedKeys = new Set<string>();
  let databaseError: Error | undefined;

  const settle = (key: string, outcome: BuildOutcome) => {
    waiting.get(key)?.resolve(outcome);
    waiting.delete(key);
  };
  const failAll = (error: Error) => {
    databaseError ??= error;
    for (const key of [...waiting.keys()]) settle(key, failed(databaseError));
  };
  client.on('error', failAll);
  const database = openPool(url, failAll);
  const utils = await makeWorkerUtils({ pgPool: database, logger: silent });
  await utils.migrate();
  client.on('notification', ({ payload = '' }) => {
    if (!waiting.has(payload)) return;
    findResult(database, payload).then((answer) => answer && settle(payload, answer), failAll);
  });
  await client.query(`LISTEN ${RESULT_CHANNEL}`);

  const addJob = (key: string, job: QueuedJob) =>
    utils
      .addJob(task, job, { jobKey: key, jobKeyMode: 'preserve_run_at', maxAttempts: MAX_ATTEMPTS })
      .then(() => queuedKeys.add(key), failAll);

  /**
   * Finds results whose notification was missed. If a job is neither queued nor has a result, queues it
   * again: another build that requested the same job may have deleted the result.
   */
  const findMissed = async () => {
    const keys = [...waiting.keys()].filter((key) => queuedKeys.has(key));
    for (const { key, outcome, isQueued } of await jobStates(database, keys)) {
      const request = waiting.get(key);
      if (outcome !== null) settle(key, outcome);
      else if (!isQueued && request !== undefined) await addJob(key, request.job);
    }
  };

  let polls = 0;
  let pollsWithoutWorker = 0;
  const poll = async () => {
    if (waiting.size === 0) return;
    if (++polls % POLLS_PER_CHECK === 0) await findMissed();
    const { processes, dead } = await removeDeadWorkers(database, task);
    if (dead.length > 0) await utils.forceUnlockWorkers(dead);
    const queued = new Set([...waiting.keys()].filter((key) => queuedKeys.has(key)));
    for (const [key, outcome] of await failedJobs(database, task)) {
      if (queued.has(key)) settle(key, outcome);
    }
    if (processes > 0 && pollsWithoutWorker >= POLLS_BEFORE_MESSAGE)
      onMessage('Workers are running again.');
    pollsWithoutWorker = processes > 0 ? 0 : pollsWithoutWorker + 1;
    if (pollsWithoutWorker === POLLS_BEFORE_MESSAGE)
      onMessage('No worker is running: start `charts work` on one or more machines.');
  };
  let polling = Promise.resolve();
  const timer = setInterval(() => {
    polling = polling.then(poll).catch(failAll);
  }, options.pollMs ?? POLL_MS);

  /** Queue a job and wait for its result. */
  const send = async (job: QueuedJob): Promise<BuildOutcome> => {
    const { portable, reads, writes } = await portableOf(job, store);
    const key = digestOf(task, JSON.stringify(portable));
    requestedKeys.add(key);
    for (const [name, path] of reads) await store.put(name, path);
    // A build that was killed may have left a result of the same job.
    const before = await findResult(database, key);
    if (before?.ok === true && (await haveAll(store, writes))) return before;
    await deleteResults(database, [key]);
    const outcome = await new Promise<BuildOutcome>((resolve) => {
      waiting.set(key, { job: portable, resolve });
      if (databaseError !== undefined) return settle(key, failed(databaseError));
      void addJob(key, portable);
    });
    if (outcome.ok) for (const [name, path] of writes) await store.get(name, path);
    return outcome;
  };

  return {
    size: Number.POSITIVE_INFINITY,
    run: async (job: BuildJob) => {
      if (job.kind === 'plan' || job.kind === 'finish-sheets' || job.kind === 'finish-world') {
        return threads.run(job);
      }
      try {
        const outcome = await send(job);
        return keepScan(job, outcome);
      } catch (error) {
        return failed(error);
      }
    },
    close: async () => {
      clearInterval(timer);
      await polling;
      await deleteResults(database, [...requestedKeys]).catch(() => undefined);
      await utils.release();
      await Promise.all([closed(client), closed(database), threads.close(), store.close()]);
    },
  };
}

/** A failure of the store, the database or this machine. The build stops and omits no cell. */
const failed = (error: unknown): BuildOutcome => ({
  ok: false,
  reason: 'system-error',
  message: error instanceof Error ? error.message : String(error),
});

/** Closes a connection. Errors are ignored, because the connection may already be lost. */
const closed = (connection: Client | Pool): Promise<void> =>
  connection.end().catch(() => undefined);

type StoredFiles = readonly (readonly [key: string, path: string])[];

/** Returns a job with store keys instead of paths, and the files that the job reads and writes. */
async function portableOf(job: QueuedJob, store: PackStore) {
  const inputs = new Map<string, string>();
  const addInput = (path: string) => {
    inputs.set(path, '');
    return path;
  };
  const unchanged = (path: string) => path;
  const unchangedPaths = {
    write: unchanged,
    readOrWrite: unchanged,
    folder: unchanged,
    own: () => '',
  };
  // First collect the input files. Their keys are hashes of their bytes. A merge job reads only cached
  // files, whose names are already based on their content.
  if (job.kind !== 'merge') withPaths(job, { ...unchangedPaths, read: addInput });
  for (const path of inputs.keys()) {
    inputs.set(path, isPlanFile(job, path) ? keyOfCached(path) : await store.keyOfInput(path));
  }
  const reads = new Map<string, string>();
  const writes = new Map<string, string>();
  const addFile = (all: Map<string, string>, key: string, path: string) => {
    all.set(key, path);
    return key;
  };
  const portable = withPaths(job, {
    read: (path) => addFile(reads, inputs.get(path) ?? keyOfCached(path), path),
    write: (path) => addFile(writes, keyOfCached(path), path),
    readOrWrite: (path) => {
      const key = keyOfCached(path);
      return existsSync(path) ? addFile(reads, key, path) : key;
    },
    folder: (path) => {
      if (job.kind !== 'slice' || job.source.kind !== 'background') return path;
      const key = folderKey(job.source.background.digest);
      for (const file of backgroundFiles(path)) addFile(reads, `${key}/${basename(file)}`, file);
      return key;
    },
    own: (kind) => OWN_FOLDERS[kind],
  });
  return { portable, reads: [...reads] as StoredFiles, writes: [...writes] as StoredFiles };
}

const isPlanFile = (job: QueuedJob, path: string): boolean =>
  job.kind === 'slice' && job.plan.pack === path;

async function haveAll(store: PackStore, files: StoredFiles): Promise<boolean> {
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
