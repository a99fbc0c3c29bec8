// What one request cost, for the Server-Timing header, the log and the benches.

export interface RequestCost {
  bucketReads: number;
  /** Where the answer came from: memory, edge, bucket. */
  from: string;
}

export const newCost = (): RequestCost => ({ bucketReads: 0, from: '' });
