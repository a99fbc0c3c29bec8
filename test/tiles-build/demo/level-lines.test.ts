// Contours of simple hills and of random ground.

import { describe, expect, test } from 'vitest';
import type { Position } from '../../../shared/s57/write/cell-builder.ts';
import { signedArea } from '../../../tiles-build/demo/terrain/curves.ts';
import { sampleHeights } from '../../../tiles-build/demo/terrain/height-grid.ts';
import { levelLines } from '../../../tiles-build/demo/terrain/level-lines.ts';
import { splitLines } from '../../../tiles-build/demo/terrain/split-lines.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const STEP = 20_000;
const SIDE = 60;
const GRID = { west: 7000, south: -3000, columns: SIDE, rows: SIDE, step: STEP };
const MIDDLE: Position = [7000 + (SIDE * STEP) / 2, -3000 + (SIDE * STEP) / 2];
const EXACT = { tolerance: 1, leastRise: 0, leastHollow: 0 };

const fromMiddle = ([x, y]: Position) => Math.hypot(x - MIDDLE[0], y - MIDDLE[1]);

/** Random heights on a grid, smoothed over neighbours. */
function randomGround(seed: number) {
  const random = seededRandom(seed);
  const heights = new Map<string, number>();
  const raw = (x: number, y: number) => {
    const key = `${Math.round(x / STEP / 3)} ${Math.round(y / STEP / 3)}`;
    if (!heights.has(key)) heights.set(key, random() * 30 - 15);
    return heights.get(key)!;
  };
  return sampleHeights(GRID, (x, y) => {
    let sum = 0;
    for (const dx of [-3, -1, 1, 3]) {
      for (const dy of [-3, -1, 1, 3]) sum += raw(x + dx * STEP, y + dy * STEP);
    }
    return sum / 16;
  });
}

describe('levelLines', () => {
  test('returns a circle with the hill on its left', () => {
    const hill = sampleHeights(GRID, (...position) => 100 - fromMiddle(position) / 4000);
    const [line, ...more] = levelLines(hill, 0, EXACT);
    expect(more).toEqual([]);
    expect(line!.isClosed).toBe(true);
    for (const position of line!.positions) {
      expect(Math.abs(fromMiddle(position) - 400_000)).toBeLessThan(0.1 * STEP);
    }
    const area = signedArea(line!.positions);
    expect(Math.abs(area / (Math.PI * 400_000 ** 2) - 1)).toBeLessThan(0.01);
  });

  test('reverses the direction around a hollow', () => {
    const hollow = sampleHeights(GRID, (...position) => fromMiddle(position) / 4000 - 100);
    expect(signedArea(levelLines(hollow, 0, EXACT)[0]!.positions)).toBeLessThan(0);
  });

  test('runs from limit to limit on a slope', () => {
    const slope = sampleHeights(GRID, (x, y) => (x - 600_000 + 0.1 * y) / 1000);
    const [line, ...more] = levelLines(slope, 0, EXACT);
    expect(more).toEqual([]);
    expect(line!.isClosed).toBe(false);
    const ends = [line!.positions[0]!, line!.positions.at(-1)!].map(([, y]) => y);
    expect(ends.toSorted((a, b) => a - b)).toEqual([-3000, -3000 + SIDE * STEP]);
  });

  test('omits rings that are too small for the scale', () => {
    const hill = sampleHeights(GRID, (...position) => 4 - fromMiddle(position) / STEP);
    const around = Math.PI * (4 * STEP) ** 2;
    const lines = (leastRise: number) => levelLines(hill, 0, { ...EXACT, leastRise }).length;
    expect([lines(0.8 * around), lines(1.2 * around)]).toEqual([1, 0]);
  });
});

test('levelLines of different heights never cross', () => {
  for (let seed = 1; seed <= 3; seed++) {
    const ground = randomGround(seed);
    const lines = [-3, -1, 0, 2].flatMap((height) => levelLines(ground, height, EXACT));
    expect(lines.length).toBeGreaterThan(10);
    const pieces = lines.reduce((sum, { positions }) => sum + positions.length - 1, 0);
    // A crossing would split both pieces.
    expect(splitLines(lines).length, `seed ${seed}`).toBe(pieces);
  }
});
