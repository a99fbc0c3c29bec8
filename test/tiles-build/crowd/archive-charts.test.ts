import { expect, it } from 'vitest';
import { FINEST_BIN_ZOOM } from '../../../shared/crowd/bin.ts';
import { bucketsOf } from '../../../tiles-build/crowd/archive-charts.ts';

const BINS = 2 ** FINEST_BIN_ZOOM;
/** Bins along the side of a shard. */
const SIDE = 512;

it.each([
  ['east', 0],
  ['west', BINS - SIDE],
])('bucketsOf reads only the near buckets of a shard %s of 180°', (_side, fromX) => {
  const fromY = BINS / 2;
  const box = { fromX, fromY, endX: fromX + SIDE, endY: fromY + SIDE };
  const buckets = bucketsOf(box);
  expect(buckets.length).toBeLessThan(100);
  expect(buckets).toContainEqual({ z: 7, x: fromX === 0 ? 0 : 127, y: 64 });
});
