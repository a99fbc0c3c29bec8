// The threads of this process that do the jobs of a build.

import type { BuildPool } from './build-context.ts';
import type { BuildAnswer, BuildJob } from './jobs.ts';
import { openWorkerPool } from './worker-pool.ts';

/** Twenty times what the largest real cell takes on a slow, busy core. */
const JOB_TIMEOUT_MS = 600_000;

interface ThreadOptions {
  /** Time after which a job counts as hung. */
  readonly jobTimeoutMs?: number | undefined;
  /** Worker to use instead of `build-worker.ts`; it must answer the same jobs. */
  readonly worker?: URL | undefined;
}

/** @param size how many jobs are done at a time */
export const openBuildThreads = (
  size: number,
  { jobTimeoutMs = JOB_TIMEOUT_MS, worker }: ThreadOptions = {},
): BuildPool =>
  openWorkerPool<BuildJob, BuildAnswer>({
    script: worker ?? new URL('./build-worker.ts', import.meta.url),
    size,
    jobTimeoutMs,
  });
