// What one request cost, for the Server-Timing header, the log and the benches; and what it leaves
// to be done behind its answer.

export interface RequestCost {
  bucketReads: number;
  /** Where the answer came from: memory, edge, bucket. */
  from: string;
  /** Work that goes on after the answer has been sent. */
  readonly defer: (work: Promise<unknown>) => void;
}

export const newCost = (defer: RequestCost['defer']): RequestCost => ({
  bucketReads: 0,
  from: '',
  defer,
});
