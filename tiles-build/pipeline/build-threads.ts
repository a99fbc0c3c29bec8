// The worker threads that run the jobs of a build.

import type { BuildPool } from './build-context.ts';
import type { BuildAnswer, BuildJob } from './jobs.ts';
import { openWorkerPool } from './worker-pool.ts';

/** Twenty times the time of the largest real cell on a slow, busy core. */
const JOB_TIMEOUT_MS = 600_000;

interface ThreadOptions {
  /** Milliseconds after which a job counts as hung. */
  readonly jobTimeoutMs?: number | undefined;
  /** Worker script to use instead of `build-worker.ts`; it must accept the same jobs. */
  readonly worker?: URL | undefined;
}

/** @param size number of threads */
export const openBuildThreads = (
  size: number,
  { jobTimeoutMs = JOB_TIMEOUT_MS, worker }: ThreadOptions = {},
): BuildPool =>
  openWorkerPool<BuildJob, BuildAnswer>({
    script: worker ?? new URL('./build-worker.ts', import.meta.url),
    size,
    jobTimeoutMs,
  });
