// What is told about each answer and each question to the database, to whoever counts: the counters
// of a service on one's own machine, or the platform's Analytics Engine.

import type { Env } from './env.ts';

export interface Answered {
  /** The endpoint's id, `static` or `unknown`: never an address, which anybody may make up. */
  readonly endpoint: string;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** Where it came from: memory, edge, bucket, client; empty where that means nothing. */
  readonly from: string;
  readonly bucketReads: number;
  /** The stable code of a refusal. */
  readonly refusal: string | undefined;
}

/** How a question to the database ended. */
export type QueryOutcome = 'answered' | 'refused' | 'failed' | 'resting';

/** Counts, where somebody does; neither may throw, nor wait. */
export interface Observer {
  answered(answer: Answered): void;
  asked(outcome: QueryOutcome, ms: number): void;
}

/** Keeps questions to the database for whoever counts them in another Worker. */
export class CollectedQueries implements Observer {
  #questions: [outcome: QueryOutcome, ms: number][] = [];

  answered(): void {}

  asked(outcome: QueryOutcome, ms: number): void {
    this.#questions.push([outcome, ms]);
  }

  /** Those since it was last asked. */
  take(): [outcome: QueryOutcome, ms: number][] {
    const taken = this.#questions;
    this.#questions = [];
    return taken;
  }
}

/** Columns of the data set, in the order that the guide names. */
export function observeAnswer(env: Env, answer: Answered): void {
  env.OBSERVER?.answered(answer);
  const { endpoint, method, status, ms, from, bucketReads, refusal } = answer;
  env.ANALYTICS?.writeDataPoint({
    indexes: [endpoint],
    blobs: [endpoint, method, String(status), from, refusal ?? ''],
    doubles: [1, ms, bucketReads],
  });
}

export function observeQuery(env: Env, outcome: QueryOutcome, ms: number): void {
  env.OBSERVER?.asked(outcome, ms);
  env.ANALYTICS?.writeDataPoint({
    indexes: ['database'],
    blobs: ['database', '', outcome, '', ''],
    doubles: [1, ms, 0],
  });
}
