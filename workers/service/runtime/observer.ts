// The events that the service reports about responses and database queries.

export interface Answered {
  /**
   * The endpoint's id, `static` or `unknown`. Never a path: clients could create any number of
   * them.
   */
  readonly endpoint: string;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  /** Source of the response: memory, edge, bucket or client; empty if it does not apply. */
  readonly from: string;
  readonly bucketReads: number;
  /** The `code` of an error response. */
  readonly refusal: string | undefined;
}

/** `refused`: the database rejected the statement. `resting`: the query was not sent. */
export type QueryOutcome = 'answered' | 'refused' | 'failed' | 'resting';

/** Receives events. The methods must neither throw nor block. */
export interface Observer {
  onResponse(answer: Answered): void;
  onQuery(outcome: QueryOutcome, ms: number): void;
}
