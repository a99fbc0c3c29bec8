// A pool of worker threads for jobs that may crash or hang: each job ends as an outcome, and a
// worker that died or overran its time is replaced. What the jobs are is the script's business.

import { Worker } from 'node:worker_threads';
import { plainScript } from './plain-script.ts';

export type Outcome<Result> =
  | { readonly ok: true; readonly value: Result }
  | {
      readonly ok: false;
      /** `machine`: what the job needs of its surroundings failed, as a full disk, and not the job. */
      readonly reason: 'failed' | 'crashed' | 'hung' | 'out-of-memory' | 'machine';
      readonly message: string;
    };

interface PoolOptions {
  /** Module that calls `serveJobs`; TypeScript is welcome. */
  readonly script: URL;
  readonly size: number;
  /** A job that takes longer than this is given up and its worker ended. */
  readonly jobTimeoutMs: number;
  /** Heap of one worker, beyond which it is ended and its job is out of memory. */
  readonly heapMegabytes?: number;
}

export interface WorkerPool<Job, Result> {
  readonly size: number;
  /** Run a job on the next free worker. Never rejects. */
  run(job: Job): Promise<Outcome<Result>>;
  /** End all workers. Jobs under way end as crashed. */
  close(): Promise<void>;
}

/** What a worker answers a job with. */
export type Answer<Result> =
  | { readonly kind: 'value'; readonly value: Result }
  | { readonly kind: 'error'; readonly reason: 'failed' | 'machine'; readonly message: string };

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly done: (outcome: Outcome<Result>) => void;
}

/**
 * With the young generation and what lies outside of the heap (blocks of packs, the polygon engine) a
 * worker stays below 1 GB.
 */
const DEFAULT_HEAP_MEGABYTES = 640;
/** Four times the default: tiles are made of many short-lived arrays, and a tenth of time is saved. */
const YOUNG_MEGABYTES = 192;

/** Open a pool. Workers start when there is work for them. */
export function openWorkerPool<Job, Result>(options: PoolOptions): WorkerPool<Job, Result> {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: Waiting<Job, Result>[] = [];
  let closed = false;

  const startNext = (plain: URL): void => {
    while (waiting.length > 0 && (idle.length > 0 || all.size < options.size)) {
      const { job, done } = waiting.shift()!;
      const worker = idle.pop() ?? startWorker(plain, options);
      all.add(worker);
      void runOn(worker, job, options.jobTimeoutMs).then((outcome) => {
        const isAlive = outcome.ok || outcome.reason === 'failed' || outcome.reason === 'machine';
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

  const endWaiting = (reason: 'crashed' | 'machine', message: string): void => {
    for (const { done } of waiting.splice(0)) done({ ok: false, reason, message });
  };
  const giveUp = (error: unknown): void => endWaiting('machine', String(error));

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
      endWaiting('crashed', 'The pool was closed.');
      await Promise.all([...all].map((worker) => worker.terminate()));
      all.clear();
    },
  };

  function runOn(worker: Worker, job: Job, timeoutMs: number): Promise<Outcome<Result>> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome<Result>): void => {
        clearTimeout(watchdog);
        worker.removeAllListeners('message');
        worker.removeAllListeners('error');
        worker.removeAllListeners('exit');
        // A worker that dies between jobs must not take the process along.
        worker.on('error', () => all.delete(worker));
        resolve(outcome);
      };
      const watchdog = setTimeout(() => {
        const message = `gave no answer within ${timeoutMs / 1000} s`;
        settle({ ok: false, reason: 'hung', message });
      }, timeoutMs);
      worker.removeAllListeners('error');
      worker.on('message', (answer: Answer<Result>) => {
        settle(
          answer.kind === 'value'
            ? { ok: true, value: answer.value }
            : { ok: false, reason: answer.reason, message: answer.message },
        );
      });
      worker.on('error', (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        const isMemory = (error as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
        settle({ ok: false, reason: isMemory ? 'out-of-memory' : 'crashed', message });
      });
      worker.on('exit', (code) => {
        settle({ ok: false, reason: 'crashed', message: `its worker ended with code ${code}` });
      });
      worker.postMessage(job);
    });
  }
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
