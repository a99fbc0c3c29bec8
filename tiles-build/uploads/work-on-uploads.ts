// A worker: takes jobs that change charts from the database, one at a time.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { FolderInUse } from '../archive/folder-lock.ts';
import { DamagedBuild } from '../publish/build-folder.ts';
import { readPointer } from '../publish/history.ts';
import { bucketOfSet } from '../publish/set-pointers.ts';
import { BucketBusy } from '../publish/unfinished-uploads.ts';
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
import { failureText, NOT_DELETED, runJob } from './run-job.ts';
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
  const stopping = new AbortController();
  const { signal } = stopping;
  let lost: Error | undefined;
  const halt = () => {
    stopping.abort();
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
      if (performance.now() < (postponed.get(waiting.id) ?? 0)) continue;
      const job = await store.take(waiting);
      if (job === undefined) continue;
      if (signal.aborted) {
        await store.release(job).catch(() => undefined);
        return true;
      }
      const progress = jobProgress(store, job);
      running = progress;
      // Also of a worker on this machine whose job this one continues.
      removeLeftovers(options.work);
      try {
        const end = await finished(job, options, store, progress);
        await progress.close(end.state);
        await store.end(job, end);
        housekeeping.chartsChanged();
        note(`${job.kind} ${job.id}: ${end.state}. ${end.message}`);
      } catch (error) {
        if (!(error instanceof JobInterrupted)) throw error;
        if (error instanceof JobPostponed) {
          const until = performance.now() + POSTPONED_MS;
          if (error.isForAll) postponedUntil = until;
          else postponed.set(job.id, until);
          note(`${job.kind} ${job.id} is continued later: ${error.message}`);
          progress.log('info', `${error.reason} The job continues in a minute.`);
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
  const postponed = new Map<string, number>();

  const loop = async () => {
    let tidiedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (performance.now() - tidiedAt > TIDY_MS) {
        await housekeeping.run();
        tidiedAt = performance.now();
        continue;
      }
      if (performance.now() < postponedUntil || !(await runNext())) {
        await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const ended = loop()
    .catch((error: Error) => {
      lost ??= error;
    })
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
    if (job.attempts > MAX_ATTEMPTS) {
      throw new UploadRefused(job.kind === 'delete' ? NOT_DELETED : TOO_OFTEN);
    }
    // It may have been cancelled after another worker was killed.
    await progress.flush();
    // Another attempt would record another build.
    if (job.kind === 'upload' && buildId !== null && (await isPublished(job, buildId, options))) {
      return publishedEnd(buildId);
    }
    const removed = () => store.removed(job);
    // The pointer before the uploads: if the public charts change in between, those of the account are built again.
    const below = job.kind === 'erase' ? () => undefined : await publicBuild(options);
    const uploads = await store.uploads(job);
    const publicUploads = await store.publicUploads();
    const input = { ...options, job, below, uploads, publicUploads, progress };
    return await runJob({ ...input, willPublish, removed });
  } catch (thrown) {
    const error = asPostponed(thrown);
    if (error instanceof JobInterrupted) throw error;
    // A deletion is not complete before the files are deleted.
    if (job.kind !== 'delete' && buildId !== null && (await isPublished(job, buildId, options))) {
      return publishedEnd(buildId);
    }
    if (error instanceof JobCancelled) {
      return { state: 'cancelled', message: 'The job was cancelled. Nothing was changed.' };
    }
    options.note(`${job.kind} ${job.id}: ${inspect(error)}`);
    progress.log('error', failureText(error, job.kind));
    return { state: 'failed', message: failureText(error, job.kind) };
  }
}

const DAMAGED =
  'The public charts are damaged, and the charts of the account depend on them. Retry the job when the operator of the service has repaired them.';

/** Reads the public build. If it is damaged, only the jobs that need it fail. */
async function publicBuild({ bucket }: ChartSources): Promise<JobInput['below']> {
  try {
    const build = await readPointer(bucket);
    return () => build;
  } catch (error) {
    if (!(error instanceof DamagedBuild)) throw error;
    return () => {
      throw new UploadRefused(DAMAGED, { cause: error });
    };
  }
}

/** What would end every job now postpones the job. */
function asPostponed(error: unknown): unknown {
  if (error instanceof FolderInUse) {
    return new JobPostponed(error.message, 'Another process uses the folder of the worker.', true);
  }
  if (error instanceof BucketBusy) {
    return new JobPostponed(error.message, 'Old charts are being deleted.', true);
  }
  return error;
}

/** The public build below is not known, so the charts of an account are built again. */
const publishedEnd = (buildId: string): JobEnd => ({
  state: 'succeeded',
  message: 'The charts are published.',
  buildId,
  overBuild: '',
});

const TOO_OFTEN = 'The worker stopped too often during this job. Nothing was changed.';

/** Whether an attempt of the job has published this build before it failed or was cancelled. */
async function isPublished(job: Job, buildId: string, { bucket }: ChartSources): Promise<boolean> {
  const target = job.is_public ? bucket : bucketOfSet(bucket, job.account_id);
  const current = await readPointer(target).catch((error: Error) => {
    if (error instanceof DamagedBuild || job.attempts > MAX_ATTEMPTS) return undefined;
    throw new JobPostponed(error.message, 'The storage of the charts is unavailable.');
  });
  return current?.buildId === buildId;
}
