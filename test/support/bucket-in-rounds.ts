// A bucket that answers concurrent reads together, so that the number of waits can be counted. With
// storage that takes 30 ms per read, each wait takes 30 ms.

import type { Env } from '../../workers/service/runtime/env.ts';

export interface BucketInRounds {
  readonly env: Env;
  /** Reads so far. */
  reads: number;
  /** Number of waits. Concurrent reads count once. */
  rounds: number;
}

/** @param files by key */
export function bucketInRounds(files: (key: string) => Uint8Array | undefined): BucketInRounds {
  let waiting: (() => void)[] = [];
  const answerAll = () => {
    const answered = waiting;
    waiting = [];
    for (const answer of answered) answer();
  };
  const TILES = {
    get: async (key: string, { range }: { range: { offset: number; length: number } }) => {
      const file = files(key);
      if (file === undefined) return null;
      bucket.reads++;
      await new Promise<void>((answer) => {
        waiting.push(answer);
        if (waiting.length > 1) return;
        bucket.rounds++;
        setImmediate(answerAll);
      });
      const { offset, length } = range;
      const part = Uint8Array.prototype.slice.call(file, offset, offset + length);
      return { size: file.length, arrayBuffer: async () => part.buffer };
    },
  };
  const bucket: BucketInRounds = { env: { TILES } as never, reads: 0, rounds: 0 };
  return bucket;
}
