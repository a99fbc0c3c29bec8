// The cost of a request, for the Server-Timing header, the log and the benchmarks.

export interface RequestCost {
  bucketReads: number;
  /** Source of the response: memory, edge or bucket. */
  from: string;
  /** Keeps the request alive until `work` settles, after the response was sent. */
  readonly defer: (work: Promise<unknown>) => void;
}

export const newCost = (defer: RequestCost['defer']): RequestCost => ({
  bucketReads: 0,
  from: '',
  defer,
});
