// The compact form of a square against its planes, value by value.

import { describe, expect, it } from 'vitest';
import {
  bytesOfTable,
  cellTable,
  compactSquare,
  entryAt,
  partOf,
} from '../../../shared/route/cell-table.ts';
import { OPEN_SKY } from '../../../shared/route/depth-code.ts';
import { NO_HAZARDS } from '../../../shared/route/hazard-codec.ts';
import type { SeaSquare } from '../../../shared/route/sea.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const SEED = 20_261_127;
const LEVELS = 9;

/** A square with rectangles of random values, in some planes or all. */
function randomSquare(random: () => number, width: number, patches: number): SeaSquare {
  const painted = <T extends Uint8Array | Uint16Array>(plane: T, values: readonly number[]): T => {
    for (let k = 0; k < patches; k++) {
      const [x, y] = [random() * width, random() * width].map(Math.floor);
      const right = Math.min(width, x! + 1 + Math.floor(random() ** 3 * width));
      const value = values[Math.floor(random() * values.length)]!;
      for (let row = y!; row < Math.min(width, y! + 1 + random() * 40); row++)
        plane.fill(value, row * width + x!, row * width + right);
    }
    return plane;
  };
  const codes = [0, 1, 40, 90, 200, 255];
  const bytes = (nothing: number) => painted(new Uint8Array(width * width).fill(nothing), codes);
  const leastDepth = bytes(90);
  const has = () => random() < 0.5;
  return {
    ...{ zoom: 8, x: 3, y: 5, width, hazards: NO_HAZARDS },
    leastDepth,
    mostDepth: has() ? leastDepth : bytes(200),
    ...(has() && { clearance: bytes(OPEN_SKY) }),
    ...(has() && { flags: painted(new Uint16Array(width * width), [0, 1, 512, 1536, 32_767]) }),
    hasFiner: Uint8Array.from({ length: 64 }, () => (random() < 0.3 ? 1 : 0)),
  };
}

/** The values of a block of `side` × `side` values of the planes. */
function valuesOf(square: SeaSquare, side: number, row: number, column: number) {
  const { width = 256, leastDepth, mostDepth, clearance, flags, hasFiner } = square;
  const found = { least: 255, most: 0, clearance: 255, any: 0, all: 0xffff };
  for (let k = 0; k < side * side; k++) {
    const i = (row * side + Math.floor(k / side)) * width + column * side + (k % side);
    found.least = Math.min(found.least, leastDepth[i]!);
    found.most = Math.max(found.most, mostDepth[i]!);
    found.clearance = Math.min(found.clearance, clearance?.[i] ?? OPEN_SKY);
    found.any |= flags?.[i] ?? 0;
    found.all &= hasFiner[partOf(i, width)] === 1 ? 0 : (flags?.[i] ?? 0);
  }
  return found;
}

/** Compares each block of each level. @returns the number of different entries */
function expectSame(square: SeaSquare): number {
  const cells = cellTable(compactSquare(square));
  const width = square.width ?? 256;
  const wrong: string[] = [];
  for (let level = 0; level < LEVELS; level++) {
    const across = Math.min(width, 2 ** (LEVELS - 1 - level));
    for (let i = 0; i < across * across; i++) {
      const entry = entryAt(cells, level, i);
      const expected = valuesOf(square, width / across, Math.floor(i / across), i % across);
      const found = {
        least: cells.least[entry],
        most: cells.most[entry],
        clearance: cells.clearance[entry],
        any: cells.anyFlags[entry],
        all: cells.allFlags[entry],
      };
      for (const [name, value] of Object.entries(expected)) {
        if (found[name as keyof typeof found] !== value) wrong.push(`${level} ${i} ${name}`);
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  return cells.least.length;
}

describe('cellTable', () => {
  it(`contains the values of each block of random squares (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    for (const width of [4, 8, 32, 128, 256, 256]) {
      expectSame(randomSquare(random, width, 12));
    }
  });

  it('contains more than 256 and more than 65,536 different entries', () => {
    const random = seededRandom(SEED);
    expect(expectSame(randomSquare(random, 256, 400))).toBeGreaterThan(256);
    const square = randomSquare(random, 256, 0);
    const leastDepth = Uint8Array.from({ length: 65_536 }, (_, i) => i >> 8);
    const mostDepth = Uint8Array.from({ length: 65_536 }, (_, i) => (i * 77) & 255);
    const flags = Uint16Array.from({ length: 65_536 }, (_, i) => i % 997);
    expect(expectSame({ ...square, leastDepth, mostDepth, flags })).toBeGreaterThan(65_536);
  });

  it('takes less than 12 KiB for a square of even water with an island', () => {
    const square = randomSquare(seededRandom(SEED), 256, 0);
    const leastDepth = square.leastDepth.slice();
    for (let row = 100; row < 110; row++) leastDepth.fill(0, row * 256 + 30, row * 256 + 50);
    const { cells } = compactSquare({ ...square, leastDepth, mostDepth: leastDepth });
    expect(bytesOfTable(cells)).toBeLessThan(12 * 1024);
  });
});
