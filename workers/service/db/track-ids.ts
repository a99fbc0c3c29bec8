// Ids of tracks, UUIDs of version 7 (RFC 9562), many at a time: one by one, the random bytes of
// fifty thousand take a second.

import { v7 } from 'uuid';

const RANDOM_BYTES = 16;
/** The platform gives no more random bytes than this at once. */
const MAX_BYTES = 65_536;

/** New ids in ascending order. */
export function trackIds(count: number, nowMs: number): string[] {
  const random = new Uint8Array(count * RANDOM_BYTES);
  for (let from = 0; from < random.length; from += MAX_BYTES) {
    crypto.getRandomValues(random.subarray(from, from + MAX_BYTES));
  }
  // Half of the counter's range at random, so that those of two requests in one millisecond differ.
  const first = new DataView(random.buffer).getUint32(0) >>> 1;
  return Array.from({ length: count }, (_, i) =>
    v7({
      random: random.subarray(i * RANDOM_BYTES, (i + 1) * RANDOM_BYTES),
      msecs: nowMs,
      seq: first + i,
    }),
  );
}
