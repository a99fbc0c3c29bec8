// A worker: takes jobs that change charts from the database, one at a time.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { FolderInUse } from '../archive/folder-lock.ts';
import { readPointer } from '../publish/history.ts';
import { bucketOfSet } from '../publish/set-pointers.ts';
import { userPermit } from '../s63/identity.ts';
import { type ChartSources, type JobInput, removeLeftovers } from './change-charts.ts';
import { openHousekeeping } from './housekeeping.ts';
import {
  JobCancelled,
  JobInterrupted,
  JobPostponed,
  type JobProgress,
  jobProgress,
} from './job-progress.ts';
import { type Job, type JobEnd, type JobStore, openJobStore } from './job-store.ts';
import { failureText, runJob } from './run-job.ts';
import { UploadRefused } from './upload-files.ts';

const POLL_MS = 1000;
/** The portal shows a worker as connected if it is seen every 30 seconds. */
const SIGN_MS = 10_000;
const TIDY_MS = 60_000;
/** Consecutive attempts without more progress. */
const MAX_ATTEMPTS = 30;
/** A postponed job is tried again once a minute. The folder lock of a killed worker expires before MAX_ATTEMPTS. */
const POSTPONED_MS = 60_000;

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
  const { url, note, licensing } = options;
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
        housekeeping.chartsChanged();
        note(`${job.kind} ${job.id}: ${end.state}. ${end.message}`);
      } catch (error) {
        if (!(error instanceof JobInterrupted)) throw error;
        if (error instanceof JobPostponed) {
          postponedUntil = performance.now() + POSTPONED_MS;
          note(`${job.kind} ${job.id} is continued later: ${error.message}`);
        }
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
  const housekeeping = openHousekeeping(options, store, note);
  let postponedUntil = Number.NEGATIVE_INFINITY;

  const loop = async () => {
    let tidiedAt = Number.NEGATIVE_INFINITY;
    while (!isStopping) {
      if (performance.now() - tidiedAt > TIDY_MS) {
        await housekeeping.run();
        tidiedAt = performance.now();
        continue;
      }
      if (performance.now() < postponedUntil || !(await runNext())) await pause(POLL_MS);
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
  let buildId = job.build_id;
  const willPublish: JobInput['willPublish'] = async (id, cells) => {
    buildId = id;
    await store.willPublish(job, id, cells);
  };
  if (job.attempts > 1)
    progress.log('info', `A worker continues the job (attempt ${job.attempts}).`);
  try {
    if (job.attempts > MAX_ATTEMPTS) throw new UploadRefused(TOO_OFTEN);
    // It may have been cancelled after another worker was killed.
    await progress.flush();
    const uploads = await store.uploads(job);
    const publicUploads = await store.publicUploads();
    return await runJob({ ...options, job, uploads, publicUploads, progress, willPublish });
  } catch (error) {
    if (error instanceof FolderInUse) throw new JobPostponed(error.message);
    if (error instanceof JobInterrupted) throw error;
    // A deletion is not complete before the files are deleted.
    if (job.kind !== 'delete' && buildId !== null && (await isPublished(job, buildId, options))) {
      return { state: 'succeeded', message: 'The charts are published.', buildId, overBuild: '' };
    }
    if (error instanceof JobCancelled) {
      return { state: 'cancelled', message: 'The job was cancelled. Nothing was changed.' };
    }
    options.note(`${job.kind} ${job.id}: ${error instanceof Error ? error.stack : error}`);
    progress.log('error', failureText(error));
    return { state: 'failed', message: failureText(error) };
  }
}

const TOO_OFTEN = 'The job ended its worker too often. Nothing was changed.';

/** Whether an attempt of the job has published this build before it failed or was cancelled. */
async function isPublished(job: Job, buildId: string, { bucket }: ChartSources): Promise<boolean> {
  const target = job.is_public ? bucket : bucketOfSet(bucket, job.account_id);
  const current = await readPointer(target).catch((error: Error) => {
    throw new JobPostponed(error.message);
  });
  return current?.buildId === buildId;
}
