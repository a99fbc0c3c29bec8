// A pool of worker threads for jobs that may crash or hang. Each job ends with an outcome, and a
// worker that died or timed out is replaced.

import { Worker } from 'node:worker_threads';
import { plainScript } from './plain-script.ts';

export type Outcome<Result> =
  | { readonly ok: true; readonly value: Result }
  | {
      readonly ok: false;
      /** `system-error`: a system error, such as a full disk, and not a fault of the job. */
      readonly reason: 'failed' | 'crashed' | 'hung' | 'out-of-memory' | 'system-error';
      readonly message: string;
    };

interface PoolOptions {
  /** Module that calls `serveJobs`; may be TypeScript. */
  readonly script: URL;
  readonly size: number;
  /** A job that takes longer fails as `hung`, and its worker is terminated. Pauses do not count. */
  readonly jobTimeoutMs: number;
  /** Heap limit of a worker, in megabytes. A job that exceeds it fails as `out-of-memory`. */
  readonly heapMegabytes?: number;
}

export interface WorkerPool<Job, Result> {
  readonly size: number;
  /** Run a job on the next free worker. Never rejects. */
  run(job: Job): Promise<Outcome<Result>>;
  /** Terminate all workers. Running and later jobs end as `crashed`. */
  close(): Promise<void>;
}

/** A worker's answer to a job. */
export type Answer<Result> =
  | { readonly kind: 'value'; readonly value: Result }
  | {
      readonly kind: 'error';
      readonly reason: 'failed' | 'system-error';
      readonly message: string;
    };

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly done: (outcome: Outcome<Result>) => void;
}

/**
 * Together with the young generation and memory outside of the heap (blocks of packs, the polygon
 * engine) a worker stays below 1 GB.
 */
const DEFAULT_HEAP_MEGABYTES = 640;
/**
 * More than the default of 48: tiles consist of many short-lived arrays. Twice this saves no time.
 */
const YOUNG_MEGABYTES = 96;
/** Parts of a job's time that are counted one by one. */
const WATCHDOG_STEPS = 20;
const CLOSED = 'The pool was closed.';

/** Open a pool. Workers start when there are jobs for them. */
export function openWorkerPool<Job, Result>(options: PoolOptions): WorkerPool<Job, Result> {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Waiting<Job, Result>[] = [];
  let closed = false;

  const endWaiting = (reason: 'crashed' | 'system-error', message: string): void => {
    for (const { done } of waiting.splice(0)) done({ ok: false, reason, message });
  };

  const startNext = (plain: URL): void => {
    if (closed) endWaiting('crashed', CLOSED);
    while (waiting.length > 0 && (idle.length > 0 || all.size < options.size)) {
      const { job, done } = waiting.shift()!;
      const worker = idle.pop() ?? start(plain);
      all.add(worker);
      void runOn<Job, Result>(worker, job, options.jobTimeoutMs).then((outcome) => {
        const isAlive =
          outcome.ok || outcome.reason === 'failed' || outcome.reason === 'system-error';
        if (isAlive && !closed) idle.push(worker);
        else {
          all.delete(worker);
          void worker.terminate();
        }
        done(outcome);
        startNext(plain);
      });
    }
  };

  const giveUp = (error: unknown): void => endWaiting('system-error', String(error));

  return {
    size: options.size,
    run(job) {
      return new Promise((done) => {
        waiting.push({ job, done });
        plainScript(options.script).then(startNext, giveUp);
      });
    },
    async close() {
      closed = true;
      endWaiting('crashed', CLOSED);
      await Promise.all([...all].map((worker) => worker.terminate()));
      all.clear();
    },
  };

  /** Start a worker. One that ends between jobs is forgotten. */
  function start(plain: URL): Worker {
    const worker = startWorker(plain, options);
    const forget = (): void => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    };
    // Without a listener for errors, such a worker would end the process.
    return worker.on('error', forget).on('exit', forget);
  }
}

/** Run one job, and end it as `hung` if this process waits for `timeoutMs` milliseconds. */
function runOn<Job, Result>(worker: Worker, job: Job, timeoutMs: number): Promise<Outcome<Result>> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<Result>): void => {
      clearInterval(watchdog);
      // `terminate` has listeners too.
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const fail = (reason: 'crashed' | 'hung' | 'out-of-memory', message: string): void =>
      settle({ ok: false, reason, message });
    const onMessage = (answer: Answer<Result>): void =>
      settle(
        answer.kind === 'value'
          ? { ok: true, value: answer.value }
          : { ok: false, reason: answer.reason, message: answer.message },
      );
    const onError = (error: unknown): void => {
      const isMemory = (error as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(
        isMemory ? 'out-of-memory' : 'crashed',
        error instanceof Error ? error.message : String(error),
      );
    };
    const onExit = (code: number): void => fail('crashed', `the worker exited with code ${code}`);
    // A suspended process misses all but one of the steps, so that its pause does not count.
    let steps = WATCHDOG_STEPS;
    const watchdog = setInterval(() => {
      if (--steps === 0) fail('hung', `no answer within ${timeoutMs / 1000} s`);
    }, timeoutMs / WATCHDOG_STEPS);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit).postMessage(job);
  });
}

function startWorker(plain: URL, options: PoolOptions): Worker {
  return new Worker(plain, {
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: options.heapMegabytes ?? DEFAULT_HEAP_MEGABYTES,
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
    },
  });
}
