// Compares vertexDistances with the definition, and checks its run time.

import { expect, test } from 'vitest';
import { vertexDistances } from '../../../shared/geo/simplify.ts';
import { seededRandom } from '../../support/seeded-random.ts';

/** The definition of Douglas and Peucker: the farthest vertex of a part divides it in two. */
function byDefinition(line: readonly number[]): number[] {
  const count = line.length / 2;
  const found = new Array<number>(count).fill(0);
  found[0] = found[count - 1] = Number.POSITIVE_INFINITY;
  const part = (first: number, last: number, limit: number): void => {
    let [most, farthest] = [-1, -1];
    for (let i = first + 1; i < last; i++) {
      const distance = fromSegment(line, i, first, last);
      if (distance > most) [most, farthest] = [distance, i];
    }
    if (farthest < 0) return;
    found[farthest] = Math.min(limit, most);
    part(first, farthest, found[farthest]!);
    part(farthest, last, found[farthest]!);
  };
  part(0, count - 1, Number.POSITIVE_INFINITY);
  return found;
}

function fromSegment(line: readonly number[], at: number, a: number, b: number): number {
  const [px, py, ax, ay, bx, by] = [at, a, b].flatMap((i) => [line[2 * i]!, line[2 * i + 1]!]) as [
    number, number, number, number, number, number,
  ]; // biome-ignore format: three places
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length === 0 ? 0 : ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length;
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(ax + t * (bx - ax) - px, ay + t * (by - ay) - py);
}

test.each([1, 2, 3])('vertexDistances equals the definition (seed %d)', (seed) => {
  const random = seededRandom(seed);
  for (let k = 0; k < 60; k++) {
    const count = 2 + Math.floor(random() * 60);
    const line = Array.from({ length: 2 * count }, () => random());
    const expected = byDefinition(line);
    vertexDistances(line).forEach((distance, i) => {
      expect(distance).toBeCloseTo(expected[i]!, 9);
    });
  }
});

test('vertexDistances passes a straight line only once', () => {
  // A power of two of steps, so that rounding does not bend the line.
  const count = 2049;
  let looks = 0;
  const line = new Proxy(
    Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? i : 7)),
    {
      get: (target, key) => {
        looks++;
        return Reflect.get(target, key);
      },
    },
  );
  expect([...vertexDistances(line)].filter((distance) => distance > 0)).toHaveLength(2);
  expect(looks / count).toBeLessThan(20);
});

test('vertexDistances of a growing zigzag does not take quadratic time', () => {
  const count = 2000;
  const line = Float64Array.from({ length: 2 * count }, (_, i) =>
    i % 2 === 0 ? i : (i % 4 === 1 ? 1 : -1) * i,
  );
  const plain = [...line];
  let reads = 0;
  const counted = new Proxy(line, {
    get(target, key) {
      if (key === 'length') return target.length;
      reads++;
      return target[Number(key)];
    },
  });
  const distances = vertexDistances(counted);
  // Quadratic time would read each number 1,500 times.
  expect(reads / line.length).toBeLessThan(1200);
  // For any tolerance, omitted vertices are no farther from the kept line.
  for (const tolerance of [1, 100, 1000]) {
    let [kept, farthest] = [0, 0];
    for (let i = 1; i < distances.length; i++) {
      if (distances[i]! <= tolerance) continue;
      for (let left = kept + 1; left < i; left++) {
        farthest = Math.max(farthest, fromSegment(plain, left, kept, i));
      }
      kept = i;
    }
    expect(farthest).toBeLessThanOrEqual(tolerance + 1e-9);
  }
});
