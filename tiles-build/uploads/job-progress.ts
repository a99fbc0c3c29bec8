// The progress of a job: its steps, percent and messages, written to the database once a second.

import type { JobState, JobStep, LogLine } from '../../shared/contract/charts.ts';
import type { BuildProgress } from '../pipeline/build-context.ts';
import type { Job, JobStore } from './job-store.ts';

/** A user has cancelled the job. */
export class JobCancelled extends Error {}
/** The worker stops or lost its lock; another worker continues the job. */
export class JobInterrupted extends Error {}
/** The job can only be continued later. */
export class JobPostponed extends JobInterrupted {
  /** A sentence for the user of the job, without the paths of the message. */
  readonly reason: string;
  /** Whether the same would happen to all jobs. */
  readonly isForAll: boolean;

  constructor(message: string, reason: string, isForAll = false) {
    super(message);
    this.reason = reason;
    this.isForAll = isForAll;
  }
}

/** Steps with the percent at which each ends. */
const STEPS = { receive: 5, check: 20, refresh: 20, build: 90, publish: 99 } as const;
export type StepName = keyof typeof STEPS;
/** Stages of a build, as it names them. */
const STAGES = ['Reading cells', 'Planning', 'Cutting tiles', 'Joining tiles', 'Writing archives'];
const WRITE_EVERY_MS = 1000;
/** Messages of an attempt that are stored; fewer than `work_note` stores of a job, so that errors follow. */
const MAX_LINES = 900;

export interface JobProgress {
  /** Begin a step and end the one before. */
  begin(step: StepName): void;
  log(type: LogLine['type'], message: string): void;
  /** @throws JobCancelled, JobInterrupted */
  check(): void;
  /** Write now. @throws JobCancelled, JobInterrupted */
  flush(): Promise<void>;
  /** Stop at the next check. */
  interrupt(): void;
  /** The progress of a build within the step `build`. */
  readonly build: BuildProgress;
  /** Write the rest and end the last step. */
  close(state: JobState): Promise<void>;
}

export function jobProgress(store: JobStore, job: Job): JobProgress {
  const steps: JobStep[] = [];
  let lines: LogLine[] = [];
  let lineCount = 0;
  let percent = 0;
  let floor = 0;
  let stop: Error | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stage = { at: 0, total: 1, done: 0 };

  const write = (): Promise<void> => {
    writing = writing.then(async () => {
      const sent = lines;
      lines = [];
      const goesOn = await store.note(job, Math.floor(percent), steps, sent);
      if (!goesOn) stop ??= new JobCancelled();
    });
    return writing;
  };
  const interrupt = () => {
    stop ??= new JobInterrupted();
  };
  const timer = setInterval(() => void write().catch(interrupt), WRITE_EVERY_MS);
  const check = () => {
    if (stop !== undefined) throw stop;
  };
  const endStep = (status: JobState) => {
    const last = steps.at(-1);
    if (last === undefined || last.completedAt !== null) return;
    steps[steps.length - 1] = { ...last, status, completedAt: Date.now() };
  };
  return {
    begin(step) {
      check();
      endStep('succeeded');
      const before = steps.at(-1);
      if (before !== undefined) floor = Math.max(floor, STEPS[before.stepName as StepName]);
      percent = floor;
      const status = 'processing' as const;
      steps.push({ stepName: step, status, startedAt: Date.now(), completedAt: null });
    },
    log(type, message) {
      lineCount++;
      const isKept = type === 'error' || lineCount <= MAX_LINES;
      if (!isKept && lineCount > MAX_LINES + 1) return;
      const text = isKept ? message : 'Further messages are not stored.';
      lines.push({ timestamp: new Date().toISOString(), type, message: text });
    },
    check,
    async flush() {
      await write().catch(interrupt);
      check();
    },
    interrupt,
    build: {
      start(name, total) {
        stage = { at: Math.max(0, STAGES.indexOf(name)), total: Math.max(1, total), done: 0 };
      },
      step() {
        check();
        stage.done++;
        const share = (stage.at + Math.min(1, stage.done / stage.total)) / STAGES.length;
        percent = Math.max(percent, STEPS.check + share * (STEPS.build - STEPS.check));
      },
    },
    async close(state) {
      clearInterval(timer);
      endStep(state);
      await write().catch(() => undefined);
    },
  };
}
