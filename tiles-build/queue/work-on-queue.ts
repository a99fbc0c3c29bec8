// A process that runs build jobs from the queue: downloads their files from the store, runs them in
// threads, uploads the output and stores the result.

import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { run, type WorkerEvents } from 'graphile-worker';
import {
  BACKGROUND_FILES,
  type BackgroundSource,
  findBackground,
} from '../background/background-layers.ts';
import type { BuildPool } from '../pipeline/build-context.ts';
import { openBuildThreads } from '../pipeline/build-threads.ts';
import { codeDigest } from '../pipeline/code-digest.ts';
import { type QueuedJob, withPaths } from './job-paths.ts';
import { folderKey, type PackStore, pathOfKey } from './pack-store.ts';
import {
  connect,
  enterProcess,
  enterWorker,
  makeTables,
  openPool,
  releaseJobs,
  storeResult,
} from './queue-database.ts';
import { silent } from './silent.ts';
import { OWN_FOLDERS, taskOf } from './task.ts';

interface WorkOptions {
  /** Address of the PostgreSQL database. */
  readonly url: string;
  readonly store: PackStore;
  /** Local folder for files from the store. It can be deleted while no process uses it. */
  readonly folder: string;
  /** Number of concurrent jobs. */
  readonly jobs: number;
  /** Called after each job. */
  readonly note: (text: string) => void;
  /** Runs the jobs; default: new threads. Closed at the end. */
  readonly threads?: BuildPool | undefined;
}

/** A running worker process. */
export interface Work {
  /** Settles when the work has stopped. @throws Error if it cannot continue */
  readonly ended: Promise<void>;
  /** Accept no more jobs, return those in progress to the queue, and end. */
  stop(): Promise<void>;
}

/** Start to work. @throws Error if the database cannot be reached */
export async function workOnQueue(options: WorkOptions): Promise<Work> {
  const { url, store, folder, jobs, note } = options;
  const client = await connect(url);
  await makeTables(client);
  const process = randomInt(1, 2 ** 31);
  await enterProcess(client, process);
  const lost = new Promise<never>((_, reject) => client.on('error', reject));
  lost.catch(() => undefined);
  const database = openPool(url, () => undefined);
  const threads = options.threads ?? openBuildThreads(jobs);
  // The queue locks jobs in the name of the pool, not of one of its workers.
  let entered: Promise<void> | undefined;
  let worker: string | undefined;
  let isStopping = false;
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id;
    entered = enterWorker(database, process, worker);
    entered.catch(() => undefined);
  });
  const runner = await run({
    pgPool: database,
    concurrency: jobs,
    pollInterval: 1000,
    noHandleSignals: true,
    events,
    logger: silent,
    taskList: {
      [taskOf(codeDigest(), store.place)]: async (payload, { job: { key } }) => {
        const began = performance.now();
        // Jobs of an unregistered worker are released after a while, so register first.
        await entered;
        const job = payload as QueuedJob;
        const { outcome, writes } = await doHere(job, { store, folder, threads });
        // Another process runs a job that was returned, also one that was taken during the stop.
        if (isStopping && !outcome.ok) {
          await release();
          throw new Error('The process was stopped.');
        }
        // The job may succeed on another machine: the queue retries it.
        if (!outcome.ok && outcome.reason === 'system-error') {
          throw new Error(`${outcome.message} (on ${hostname()}, in ${folder})`);
        }
        for (const [name, path] of writes) if (existsSync(path)) await store.replace(name, path);
        await storeResult(database, key!, outcome);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        note(`${job.kind} ${nameOf(job)}: ${outcome.ok ? 'done' : outcome.message} (${seconds} s)`);
      },
    },
  });
  /**
   * If the database cannot be reached, the jobs are returned when the lock of this process is
   * released.
   */
  const release = async () => {
    if (worker !== undefined) await releaseJobs(database, worker).catch(() => undefined);
  };
  const stop = async () => {
    isStopping = true;
    const stopped = runner.stop();
    await release();
    await threads.close();
    await stopped;
  };
  // Without its lock, the process counts as dead and its jobs are given to others.
  const ended = Promise.race([runner.promise, lost]).finally(async () => {
    await runner.stop().catch(() => undefined);
    await threads.close();
    await release();
    for (const one of [client, database]) await one.end().catch(() => undefined);
    await store.close();
  });
  ended.catch(() => undefined);
  return { ended, stop };
}

interface Here {
  readonly store: PackStore;
  readonly folder: string;
  readonly threads: BuildPool;
}

/** Run a job on files of this machine. */
async function doHere(job: QueuedJob, { store, folder, threads }: Here) {
  const reads: (readonly [string, string])[] = [];
  const writes: (readonly [string, string])[] = [];
  const kept: (readonly [string, string])[] = [];
  const addTo = (list: (readonly [string, string])[]) => (key: string) => {
    const path = pathOfKey(folder, key);
    list.push([key, path]);
    return path;
  };
  const localJob = withPaths(job, {
    read: addTo(reads),
    write: addTo(writes),
    readOrWrite: addTo(kept),
    folder: (key) => pathOfKey(folder, key),
    own: (kind) => pathOfKey(folder, OWN_FOLDERS[kind]),
  });
  for (const [key, path] of reads) await store.get(key, path);
  if (localJob.kind === 'slice' && localJob.source.kind === 'background') {
    await fetchBackground(localJob.source.background, store);
  }
  for (const [key, path] of kept) await store.find(key, path);
  for (const [, path] of [...writes, ...kept]) mkdirSync(dirname(path), { recursive: true });
  return { outcome: await threads.run(localJob), writes: [...writes, ...kept] };
}

/** @throws Error if the store has other files than the job requires */
async function fetchBackground(
  { folder, digest }: BackgroundSource,
  store: PackStore,
): Promise<void> {
  if (folder === undefined) return;
  for (const name of BACKGROUND_FILES) {
    await store.find(`${folderKey(digest)}/${name}`, join(folder, name));
  }
  if (findBackground(folder).digest === digest) return;
  throw new Error('Files of the background are missing from the store.');
}

function nameOf(job: QueuedJob): string {
  switch (job.kind) {
    case 'scan':
      return job.location.name;
    case 'slice':
      return job.source.kind === 'cell' ? job.source.location.name : 'background';
    case 'merge':
      return `${job.tileset} ${job.part.range.from}-${job.part.range.to}`;
  }
}
