// Merges the fragments of one bucket that come from several cells.

import type { Box } from '../geo/clip-box.ts';
import { Bucket, SHAPE_CODES } from './bucket.ts';
import { BucketWriter } from './bucket-writer.ts';

const UNUSED: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** Keeps all records in the order of the fragments. A single fragment is returned unchanged. */
export function mergeBuckets(fragments: readonly Uint8Array[]): Uint8Array {
  if (fragments.length === 1) return fragments[0]!;
  const buckets = fragments.map((bytes) => new Bucket(bytes));
  const writer = new BucketWriter(boxOfParts(buckets));
  for (const bucket of buckets) {
    for (let i = 0; i < bucket.count; i++) writer.add(bucket.record(i));
  }
  return writer.finish();
}

/** The box of a part of an area is the bucket's box, which is the same in every fragment. */
function boxOfParts(buckets: readonly Bucket[]): Box {
  for (const { count, shapes, boxes } of buckets) {
    for (let i = 0; i < count; i++) {
      if (shapes[i] !== SHAPE_CODES.areaPart) continue;
      const [left, top, right, bottom] = boxes.subarray(4 * i, 4 * i + 4);
      return { left: left!, top: top!, right: right!, bottom: bottom! };
    }
  }
  return UNUSED;
}
