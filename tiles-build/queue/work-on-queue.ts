// A process that does jobs of builds for others: has their files from the store, does them in threads,
// puts what they make into the store, and answers.

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
  giveAnswer,
  makeTables,
  openPool,
  releaseJobs,
} from './queue-database.ts';
import { silent } from './silent.ts';
import { OWN_FOLDERS, taskOf } from './task.ts';

interface WorkOptions {
  /** Address of the PostgreSQL database. */
  readonly url: string;
  readonly store: PackStore;
  /** Folder of files from the store; it may be deleted while nothing works. */
  readonly folder: string;
  /** Jobs at a time. */
  readonly jobs: number;
  /** Told of each job that is done. */
  readonly note: (text: string) => void;
  /** Who does the jobs, instead of as many threads of the work's own; closed when it ends. */
  readonly threads?: BuildPool | undefined;
}

/** Work that goes on. */
export interface Work {
  /** Ends when the work is stopped, or cannot go on. @throws Error saying why it cannot */
  readonly ended: Promise<void>;
  /** Take no more jobs, give those under way back to the queue, and end. */
  stop(): Promise<void>;
}

/** Begin to work. @throws Error where the database cannot be reached */
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
  // The queue locks jobs in the name of the pool, whichever of its workers does them.
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
        // Of one who is not on the list all jobs count as a dead one's after a while.
        await entered;
        const job = payload as QueuedJob;
        const { outcome, writes } = await doHere(job, { store, folder, threads });
        // What was given back is another process's to answer.
        if (isStopping && !outcome.ok) throw new Error('The process was stopped.');
        // Another machine may manage: the queue gives the job away again.
        if (!outcome.ok && outcome.reason === 'machine') {
          throw new Error(`${outcome.message} (on ${hostname()}, in ${folder})`);
        }
        for (const [name, path] of writes) if (existsSync(path)) await store.replace(name, path);
        await giveAnswer(database, key!, outcome);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        note(`${job.kind} ${nameOf(job)}: ${outcome.ok ? 'done' : outcome.message} (${seconds} s)`);
      },
    },
  });
  /** Of a database that is away the jobs come back by themselves, as those of a dead process. */
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
  // Without its lock the process counts as dead, and its jobs are done by others.
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

/** Do a job on files of this machine. */
async function doHere(job: QueuedJob, { store, folder, threads }: Here) {
  const reads: (readonly [string, string])[] = [];
  const writes: (readonly [string, string])[] = [];
  const kept: (readonly [string, string])[] = [];
  const noted = (list: (readonly [string, string])[]) => (key: string) => {
    const path = pathOfKey(folder, key);
    list.push([key, path]);
    return path;
  };
  const own = withPaths(job, {
    read: noted(reads),
    write: noted(writes),
    keep: noted(kept),
    folder: (key) => pathOfKey(folder, key),
    own: (kind) => pathOfKey(folder, OWN_FOLDERS[kind]),
  });
  for (const [key, path] of reads) await store.get(key, path);
  if (own.kind === 'slice' && own.source.kind === 'background') {
    await haveBackground(own.source.background, store);
  }
  for (const [key, path] of kept) await store.find(key, path);
  for (const [, path] of [...writes, ...kept]) mkdirSync(dirname(path), { recursive: true });
  return { outcome: await threads.run(own), writes: [...writes, ...kept] };
}

/** @throws Error where the store has other files than those that were asked for */
async function haveBackground(
  { folder, digest }: BackgroundSource,
  store: PackStore,
): Promise<void> {
  if (folder === undefined) return;
  for (const name of BACKGROUND_FILES) {
    await store.find(`${folderKey(digest)}/${name}`, join(folder, name));
  }
  if (findBackground(folder).digest === digest) return;
  throw new Error('The store has not all files of the background.');
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
