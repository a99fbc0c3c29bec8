// Reports each response and each database query to the metrics of a self-hosted service or to the
// platform's Analytics Engine.

import type { Env } from './env.ts';
import type { Answered, Observer, QueryOutcome } from './observer.ts';

/** Collects database queries until `take`, so that the calling Worker reports them. */
export class CollectedQueries implements Observer {
  #queries: [outcome: QueryOutcome, ms: number][] = [];

  onResponse(): void {}

  onQuery(outcome: QueryOutcome, ms: number): void {
    this.#queries.push([outcome, ms]);
  }

  /** Returns the queries since the last call. */
  take(): [outcome: QueryOutcome, ms: number][] {
    const taken = this.#queries;
    this.#queries = [];
    return taken;
  }
}

/** Reports a response. Operators query `blobs` and `doubles` by position: do not change their order. */
export function observeAnswer(env: Env, answer: Answered): void {
  env.OBSERVER?.onResponse(answer);
  const { endpoint, method, status, ms, from, bucketReads, refusal } = answer;
  env.ANALYTICS?.writeDataPoint({
    indexes: [endpoint],
    blobs: [endpoint, method, String(status), from, refusal ?? ''],
    // 1 is the number of responses.
    doubles: [1, ms, bucketReads],
  });
}

/** Reports a database query in the same positions, with the outcome instead of the status. */
export function observeQuery(env: Env, outcome: QueryOutcome, ms: number): void {
  env.OBSERVER?.onQuery(outcome, ms);
  env.ANALYTICS?.writeDataPoint({
    indexes: ['database'],
    blobs: ['database', '', outcome, '', ''],
    doubles: [1, ms, 0],
  });
}
