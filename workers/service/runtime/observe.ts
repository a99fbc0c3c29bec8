// Reports each response and each database query to the metrics of a self-hosted service or to the
// platform's Analytics Engine.

import type { Env } from './env.ts';
import type { Answered, Observer, QueryOutcome } from './observer.ts';

/** Collects database queries, for reporting them to another Worker. */
export class CollectedQueries implements Observer {
  #queries: [outcome: QueryOutcome, ms: number][] = [];

  answered(): void {}

  asked(outcome: QueryOutcome, ms: number): void {
    this.#queries.push([outcome, ms]);
  }

  /** Returns the queries since the last call. */
  take(): [outcome: QueryOutcome, ms: number][] {
    const taken = this.#queries;
    this.#queries = [];
    return taken;
  }
}

/** The order of the columns is documented for users of the data set: do not change it. */
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
