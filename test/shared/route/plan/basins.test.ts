// Waters that are not connected are detected early, and equal the result of a flood fill over all
// cells.

import { expect, it } from 'vitest';
import { boundsOf } from '../../../../shared/route/plan/geometry/bounds.ts';
import { pointOf } from '../../../../shared/route/plan/geometry/plane.ts';
import { needsOf } from '../../../../shared/route/plan/read/needs.ts';
import { Pause } from '../../../../shared/route/plan/read/pause.ts';
import { Water } from '../../../../shared/route/plan/read/water.ts';
import { Basins } from '../../../../shared/route/plan/search/basins.ts';
import { isLong } from '../../../support/long-run.ts';
import {
  box,
  LAND,
  makeSea,
  type Shape,
  type Spot,
  type SyntheticSea,
} from '../../../support/route/synthetic-sea.ts';
import { planCold, planWarm, tripOf } from '../../../support/route/trips.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const CORNER: Spot = [8200, 8600];

/** Calls `joined` again after each pause. */
function answerOf<T>(question: () => T): T {
  for (;;) {
    try {
      return question();
    } catch (error) {
      if (!(error instanceof Pause)) throw error;
    }
  }
}

it('basins returns NO_PATH long before its limit if a wall separates two labyrinths', () => {
  const [width, height] = [6 * 256, 6 * 256];
  const teeth: Shape[] = [];
  for (let x = 4; x + 4 < width; x += 4) {
    for (const [top, bottom] of [
      [20, height / 2],
      [height / 2, height - 20],
    ] as const) {
      const rock = box(x + 0.2, top, x + 0.8, bottom);
      teeth.push({ ...LAND, ring: rock, hasEdges: false });
    }
  }
  const wall = { ...LAND, ring: box(0, height / 2 - 1, width, height / 2 + 1) };
  const sea = makeSea({ corner: CORNER, squares: [6, 6], depth: 20, shapes: [...teeth, wall] });
  const trip = tripOf([
    sea.positionOf([10.5, height / 2 - 40.5]),
    sea.positionOf([width - 9.5, height / 2 + 40.5]),
  ]);
  const answer = planWarm(trip, sea);
  expect(answer.success).toBe(false);
  if (answer.success) return;
  expect(answer.failures.map(({ code }) => code)).toEqual(['NO_PATH']);
  expect(answer.failures[0]!.message).not.toMatch(/in between|on a way that is known/);
  expect(answer.effort.expanded).toBeLessThan(40_000);
  expect(planCold(trip, sea)).toEqual(answer);
});

it('basins equal those of a flood fill over all cells, in random seas (seed 31)', () => {
  const random = seededRandom(31);
  let [joined, apart] = [0, 0];
  for (let k = 0; k < (isLong ? 12 : 3); k++) {
    const shapes: Shape[] = Array.from({ length: 60 }, () => {
      const [x, y] = [random() * 512, random() * 512];
      const isUpright = random() < 0.5;
      const [long, thin] = [40 + random() * 260, 0.3 + random() * 4];
      return {
        ...LAND,
        ring: isUpright ? box(x, y, x + thin, y + long) : box(x, y, x + long, y + thin),
      };
    });
    const sea = makeSea({ corner: CORNER, squares: [2, 2], depth: 20, shapes });
    for (let i = 0; i < 12; i++) {
      const [a, b] = [safeSpot(sea, random), safeSpot(sea, random)];
      const trip = tripOf([sea.positionOf(a), sea.positionOf(b)]);
      const water = new Water(sea, needsOf(trip), boundsOf(trip));
      const basins = new Basins(water);
      const [from, to] = trip.waypoints.map(pointOf);
      const found = answerOf(() => basins.joined(from!, to!));
      const truth = flooded(sea, a, b);
      expect(found, `${k} ${i} ${a} ${b}`).toBe(truth ? 'joined' : 'apart');
      if (truth) joined++;
      else apart++;
    }
  }
  expect(joined).toBeGreaterThan(5);
  expect(apart).toBeGreaterThan(5);
});

function safeSpot(sea: SyntheticSea, random: () => number): Spot {
  for (;;) {
    const [x, y] = [Math.floor(random() * sea.width), Math.floor(random() * sea.height)];
    if (sea.least[y * sea.width + x]! > 60) return [x + 0.5, y + 0.5];
  }
}

function flooded({ width, height, least }: SyntheticSea, [ax, ay]: Spot, [bx, by]: Spot): boolean {
  const seen = new Uint8Array(width * height);
  const stack: [number, number][] = [[Math.floor(ax), Math.floor(ay)]];
  while (stack.length > 0) {
    const [x, y] = stack.pop()!;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const at = y * width + x;
    if (seen[at] === 1 || least[at]! <= 60) continue;
    seen[at] = 1;
    stack.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
  }
  return seen[Math.floor(by) * width + Math.floor(bx)] === 1;
}
