// A worker: takes jobs that change charts from the database, one at a time.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedBuild } from '../publish/build-folder.ts';
import { readPointer } from '../publish/history.ts';
import { pruneBuilds } from '../publish/prune.ts';
import { NothingToRollBack } from '../publish/publish.ts';
import { userPermit } from '../s63/identity.ts';
import { type ChartSources, removeLeftovers } from './change-charts.ts';
import { JobCancelled, JobInterrupted, type JobProgress, jobProgress } from './job-progress.ts';
import { type Job, type JobEnd, type JobStore, openJobStore } from './job-store.ts';
import { failureText, runJob } from './run-job.ts';
import { removeUpload } from './upload-files.ts';

const POLL_MS = 1000;
/** The portal shows a worker as connected if it is seen every 30 seconds. */
const SIGN_MS = 10_000;
const TIDY_MS = 60_000;
/** Attempts in succession that came no further. */
const MAX_ATTEMPTS = 30;

interface UploadWorkOptions extends ChartSources {
  /** Address of the database, with the login of the service. */
  readonly url: string;
  readonly note: (text: string) => void;
}

export interface UploadWork {
  /** Settles when the worker has stopped. @throws Error if the connection is lost */
  readonly ended: Promise<void>;
  /** Stop. Another worker continues the job in progress. */
  stop(): Promise<void>;
}

/** Start to work. @throws Error if the database cannot be reached */
export async function workOnUploads(options: UploadWorkOptions): Promise<UploadWork> {
  const { url, bucket, note, licensing } = options;
  let running: JobProgress | undefined;
  let isStopping = false;
  let lost: Error | undefined;
  const halt = () => {
    isStopping = true;
    running?.interrupt();
  };
  const worker = {
    id: `${hostname()} ${randomUUID()}`,
    userPermit: licensing && userPermit(licensing.identity),
    hasProducers: options.sync !== undefined,
  };
  const store = await openJobStore(url, worker, (error) => {
    lost ??= error;
    halt();
  });
  const signs = setInterval(() => void store.waiting().catch(() => undefined), SIGN_MS);

  const runNext = async (): Promise<boolean> => {
    for (const waiting of await store.waiting()) {
      const job = await store.take(waiting);
      if (job === undefined) continue;
      const progress = jobProgress(store, job);
      running = progress;
      // Also of a worker on this machine whose job this one continues.
      removeLeftovers(options.work);
      try {
        if (isStopping) return true;
        const end = await finished(job, options, store, progress);
        await progress.close(end.state);
        await store.end(job, end);
        hasChanged = true;
        note(`${job.kind} ${job.id}: ${end.state}. ${end.message}`);
      } catch (error) {
        if (!(error instanceof JobInterrupted)) throw error;
        await progress.close('processing');
      } finally {
        running = undefined;
        await store.release(job).catch(() => undefined);
      }
      return true;
    }
    return false;
  };

  removeLeftovers(options.work);
  let hasChanged = true;
  /** Deletes the parts that only removed builds had. */
  const sweep = async () => {
    hasChanged = false;
    await pruneBuilds(bucket, { keep: Number.MAX_SAFE_INTEGER }).catch((error: unknown) => {
      if (error instanceof DamagedBuild) note(`Old parts were not deleted: ${error.message}`);
      // Nothing is published yet.
      else if (!(error instanceof NothingToRollBack)) throw error;
    });
  };

  const tidy = async () => {
    if (hasChanged) await sweep();
    const current = await readPointer(bucket);
    if (current !== undefined) await store.rebuildOver(current.buildId);
    if (options.sync !== undefined) await store.startDueRefresh();
    for (const upload of await store.abandoned()) {
      await removeUpload(bucket, options.work, upload);
    }
  };

  const loop = async () => {
    let tidiedAt = Number.NEGATIVE_INFINITY;
    while (!isStopping) {
      if (await runNext()) continue;
      if (performance.now() - tidiedAt > TIDY_MS) {
        tidiedAt = performance.now();
        await tidy();
      }
      await pause(POLL_MS);
    }
  };
  const ended = loop()
    .then(() => {
      if (lost !== undefined) throw lost;
    })
    .finally(async () => {
      clearInterval(signs);
      await store.close();
    });
  ended.catch(() => undefined);
  return {
    ended,
    stop: async () => {
      halt();
      await ended.catch(() => undefined);
    },
  };
}

/** Run a job to its outcome. @throws JobInterrupted */
async function finished(
  job: Job,
  options: UploadWorkOptions,
  store: JobStore,
  progress: JobProgress,
): Promise<JobEnd> {
  if (job.attempts > 1)
    progress.log('info', `A worker continues the job (attempt ${job.attempts}).`);
  try {
    if (job.attempts > MAX_ATTEMPTS) {
      return {
        state: 'failed',
        message: 'The job ended its worker too often. Nothing was changed.',
      };
    }
    const uploads = await store.uploads(job);
    const publicUploads = await store.publicUploads();
    return await runJob({ ...options, job, uploads, publicUploads, progress });
  } catch (error) {
    if (error instanceof JobInterrupted) throw error;
    if (error instanceof JobCancelled) {
      return { state: 'cancelled', message: 'The job was cancelled. Nothing was changed.' };
    }
    options.note(`${job.kind} ${job.id}: ${error instanceof Error ? error.stack : error}`);
    progress.log('error', failureText(error));
    return { state: 'failed', message: failureText(error) };
  }
}
