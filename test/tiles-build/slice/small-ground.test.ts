// Ground that is tiny compared with the world is found when descending to its tiles.

import { describe, expect, test } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { DEGREE } from '../../../tiles-build/quilt/coverage.ts';
import { degreeFrame, pictureFrame } from '../../../tiles-build/slice/frame.ts';
import { QueryLeaves } from '../../../tiles-build/slice/query-leaves.ts';
import { territoryOf } from '../../../tiles-build/slice/territory.ts';

/** Grid units per metre along a meridian. */
const METER = DEGREE / 111_195;
const EVERYWHERE = () => true;

/** A square with sides in metres around a place on the grid; outer rings are positive. */
function square(longitude: number, latitude: number, meters: number): Flat {
  const high = (meters * METER) / 2;
  const wide = high / Math.cos((latitude * Math.PI) / 180);
  const [x, y] = [longitude * DEGREE, -latitude * DEGREE];
  return [x - wide, y - high, x + wide, y - high, x + wide, y + high, x - wide, y + high].map(
    Math.round,
  );
}

const hole = (ring: Flat): Flat =>
  Array.from({ length: ring.length / 2 }, (_, i) => ring.slice(-2 * i - 2).slice(0, 2)).flat();

const PLACES = [
  [0.0031, 0.0031],
  [20.0031, 65.0031],
  [-170.0031, -44.0031],
] as const;

describe.each(PLACES)('at %d east and %d north', (longitude, latitude) => {
  const specks = [0, 0.02, 0.04].map((east) => square(longitude + east, latitude, 60));
  const around = square(longitude + 0.02, latitude, 90_000);
  const cases: [string, readonly Flat[]][] = [
    ['a square of 200 m', [square(longitude, latitude, 200)]],
    ['three squares of 60 m', specks],
    ['a square of 1 m', [square(longitude, latitude, 1)]],
    [
      'the strip between a ring and its hole',
      [around, hole(square(longitude + 0.02, latitude, 89_990))],
    ],
  ];

  test.each(cases)('%s has tiles at every zoom that cover it', (_, rings) => {
    for (const zoom of [0, 5, 9, 12, 16]) {
      const frame = pictureFrame(zoom, 4096, 64);
      const drawn = rings.map((ring) =>
        ring.map((value, i) => (i % 2 === 0 ? frame.x(value) : frame.y(value))),
      );
      const { tiles } = territoryOf(drawn, frame, EVERYWHERE);
      const held = [...tiles.values()];
      for (let i = 0; i < drawn[0]!.length; i += 2) {
        for (const ring of rings.length === 2 ? [drawn[0]!] : drawn) {
          const column = frame.columnAt(ring[i]!);
          const row = frame.rowAt(ring[i + 1]!);
          expect(held.some((tile) => tile.column === column && tile.row === row)).toBe(true);
        }
      }
    }
  });

  test.each(cases)('%s has a query bucket', (_, rings) => {
    const frame = degreeFrame(14);
    const leaves = new QueryLeaves({ tier: 5, rings, better: [] }, frame, 13);
    for (const ring of rings.length === 2 ? [rings[0]!] : rings) {
      const [x, y] = [ring[0]! + 2, ring[1]! + 2];
      for (let z = 0; z <= 13; z++) {
        const up = 2 ** (14 - z);
        const node = {
          z,
          x: Math.floor(frame.columnAt(x) / up),
          y: Math.floor(frame.rowAt(y) / up),
        };
        expect(leaves.kindOf(node), `zoom ${z}`).toBe(z === 13 ? 'leaf' : 'above');
      }
    }
  });

  test('ground within a hole has neither tiles nor buckets', () => {
    const rings = [
      square(longitude, latitude, 400_000),
      hole(square(longitude, latitude, 300_000)),
    ];
    const frame = pictureFrame(12, 4096, 64);
    const drawn = rings.map((ring) =>
      ring.map((value, i) => (i % 2 === 0 ? frame.x(value) : frame.y(value))),
    );
    const { tiles } = territoryOf(drawn, frame, EVERYWHERE);
    const column = frame.columnAt(frame.x(longitude * DEGREE));
    const row = frame.rowAt(frame.y(-latitude * DEGREE));
    const inside = [...tiles.values()].filter(
      (tile) => Math.abs(tile.column - column) < 10 && Math.abs(tile.row - row) < 10,
    );
    expect(tiles.size).toBeGreaterThan(100);
    expect(inside).toEqual([]);
  });
});
