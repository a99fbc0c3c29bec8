// What a straight line costs where the water does not cost the same everywhere.

import { BLOCKED, FREE } from './block-class.ts';
import { type CostModel, laneFactor } from './cost-model.ts';
import { courseDegrees, greatCircle, greatCircleMeters, type Point } from './plane.ts';
import { TOP_LEVEL, type Water } from './water.ts';

/** Metres of the way from a to b by the great circle, each as dear as where it lies. */
export function costAlong(water: Water, costModel: CostModel, a: Point, b: Point): number {
  if (!costModel.vary) return greatCircleMeters(a, b);
  let cost = 0;
  let from = a;
  for (const to of greatCircle(a, b)) {
    cost += greatCircleMeters(from, to) * meanWeight(water, costModel, from, to);
    from = to;
  }
  return cost;
}

function meanWeight(water: Water, costModel: CostModel, a: Point, b: Point): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const course = courseDegrees(a, b);
  const weightIn = (level: number, x: number, y: number): number => {
    const size = 1 << level;
    const across = share(a.x, dx, x * size, size);
    const down = share(a.y, dy, y * size, size);
    const part = Math.min(across[1], down[1]) - Math.max(across[0], down[0]);
    if (part <= 0) return 0;
    const kind = water.classOf(level, x, y);
    if (kind !== FREE || !costModel.isEven(level, x, y)) {
      // A line may graze what is not free; that counts as plain water.
      if (kind === BLOCKED || level === 0) return part;
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += weightIn(level - 1, 2 * x + (i & 1), 2 * y + (i >> 1));
      return sum;
    }
    const lane = costModel.laneOf(level, x, y);
    return part * costModel.weightOf(level, x, y) * (lane < 0 ? 1 : laneFactor(lane, course));
  };
  const width = Math.max(Math.abs(dx), Math.abs(dy), 1);
  const level = Math.min(TOP_LEVEL, Math.ceil(Math.log2(width)));
  const size = 1 << level;
  let weight = 0;
  for (let y = Math.floor(Math.min(a.y, b.y) / size); y * size <= Math.max(a.y, b.y); y++) {
    for (let x = Math.floor(Math.min(a.x, b.x) / size); x * size <= Math.max(a.x, b.x); x++) {
      weight += weightIn(level, x, y);
    }
  }
  return weight;
}

/** From where to where, of 0 to 1, a line lies between two borders; the lower one is its own. */
function share(start: number, length: number, lower: number, size: number): [number, number] {
  if (length === 0) return start >= lower && start < lower + size ? [0, 1] : [1, 0];
  const t0 = (lower - start) / length;
  const t1 = (lower + size - start) / length;
  return [Math.max(0, Math.min(t0, t1)), Math.min(1, Math.max(t0, t1))];
}
