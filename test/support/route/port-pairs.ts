// Pairs of ports in a fixed random order. Each port is in one of the first pairs.

import { seededRandom } from '../seeded-random.ts';
import { PORTS } from './ports.ts';

const SEED = 20_261_126;

export function portPairs(count: number): (readonly [from: string, to: string])[] {
  const random = seededRandom(SEED);
  const names = Object.keys(PORTS);
  const pairs: (readonly [string, string])[] = [];
  while (pairs.length < count) {
    const order = names.map((name) => [random(), name] as const).sort(([a], [b]) => a - b);
    for (let i = 1; i < order.length && pairs.length < count; i += 2) {
      pairs.push([order[i - 1]![1], order[i]![1]]);
    }
  }
  return pairs;
}
