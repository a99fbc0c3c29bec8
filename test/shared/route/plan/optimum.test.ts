// How much longer the planner's way is than the shortest there is, by the exact visibility graph.

import { expect, it } from 'vitest';
import { isLong } from '../../../support/long-run.ts';
import { mustPlan } from '../../../support/route/expect-safe.ts';
import { island } from '../../../support/route/random-seas.ts';
import { cellMeters, freeCells } from '../../../support/route/sea-judge.ts';
import { shortestLength } from '../../../support/route/shortest.ts';
import { makeSea, type Shape, type Spot } from '../../../support/route/synthetic-sea.ts';
import { tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const CASES = isLong ? 200 : 24;
/** A cell is 9.4 m, and the optimum grazes corners that the cells round off. */
const MEAN = 1.01;
const P95 = 1.035;

it(`length is within 1 % (mean) and 3.5 % (95 in 100) of the shortest, on ${CASES} seas`, () => {
  const random = seededRandom(4_242);
  const ratios: number[] = [];
  while (ratios.length < CASES) {
    const shapes = Array.from({ length: 3 + Math.floor(random() * 8) }, (): Shape => {
      const [x, y] = [60 + random() * 390, 60 + random() * 390];
      const ring = island(random, x, y, 20 + random() * 70, 6 + Math.floor(random() * 8));
      return { ring, kind: 'land', depth: Number.NaN };
    });
    const sea = makeSea({ corner: [8200, 8600], squares: [2, 2], depth: 20, shapes });
    const lateralClearance = random() < 0.5 ? 0 : 15;
    const bare = tripOf([], { safety: { lateralClearance } });
    const free = freeCells(sea, bare);
    const a: Spot = [20 + random() * 40, 20 + random() * 470];
    const b: Spot = [450 + random() * 40, 20 + random() * 470];
    if ([a, b].some(([x, y]) => free[Math.floor(y) * sea.width + Math.floor(x)] !== 1)) continue;
    const plan = mustPlan(sea, { ...bare, waypoints: [sea.positionOf(a), sea.positionOf(b)] });
    const room = (lateralClearance * 0.995) / cellMeters(sea, 256);
    const shortest = shortestLength(
      shapes.map(({ ring }) => ring),
      a,
      b,
      room,
    );
    // Both are measured on the plane, where the optimum is one.
    const length = plan.path
      .map((position) => sea.spotOf(position))
      .reduce(
        (sum, [x, y], i, all) =>
          i === 0 ? 0 : sum + Math.hypot(x - all[i - 1]![0], y - all[i - 1]![1]),
        0,
      );
    expect(length / shortest).toBeGreaterThan(1 - 1e-6);
    ratios.push(length / shortest);
  }
  ratios.sort((p, q) => p - q);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const report = `mean ${mean.toFixed(4)}, p95 ${ratios[Math.floor(ratios.length * 0.95)]!.toFixed(4)}, most ${ratios.at(-1)!.toFixed(4)}`;
  expect(mean, report).toBeLessThanOrEqual(MEAN);
  expect(ratios[Math.floor(ratios.length * 0.95)]!, report).toBeLessThanOrEqual(P95);
});
