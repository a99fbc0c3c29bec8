// The worker's side of the pool: receives jobs, and answers each with its result or its error.

import { parentPort } from 'node:worker_threads';
import { isSystemError } from '../archive/system-error.ts';
import type { Answer } from './worker-pool.ts';

/** Answer every job with the result of `work`. Call once, at the top level of a worker. */
export function serveJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('serveJobs must be called in a worker thread.');
  port.on('message', async (job: Job) => {
    port.postMessage(await answerTo(job, work));
  });
}

async function answerTo<Job, Result>(
  job: Job,
  work: (job: Job) => Result | Promise<Result>,
): Promise<Answer<Result>> {
  try {
    return { kind: 'value', value: await work(job) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'error', reason: isSystemError(error) ? 'system-error' : 'failed', message };
  }
}
