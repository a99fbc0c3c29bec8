// The sheets that a trip probably needs, determined only from its waypoints.

import { expect, test } from 'vitest';
import { distanceMeters } from '../../../../shared/geo/earth.ts';
import { mercatorX, mercatorY } from '../../../../shared/geo/mercator.ts';
import { sheetsAlong } from '../../../../shared/route/plan/read/sheets-along.ts';
import type { Position } from '../../../../shared/route/trip.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

/** The name of the tile that contains a position. */
const tileAt = ([longitude, latitude]: Position, zoom: number): string => {
  const side = 2 ** zoom;
  const column = ((Math.floor(mercatorX(longitude) * side) % side) + side) % side;
  return `${zoom}/${column}/${Math.floor(mercatorY(latitude) * side)}`;
};
const namesOf = (tiles: readonly { z: number; x: number; y: number }[]) =>
  tiles.map(({ z, x, y }) => `${z}/${x}/${y}`);

test('the sheets along a trip are those under and next to legs of up to 180 km, across 180° too (seed 7)', () => {
  const random = seededRandom(7);
  for (let i = 0; i < 60; i++) {
    const from: Position = [178 + 4 * random(), -65 + 130 * random()];
    const to: Position = [from[0] + 2 * random() - 1, from[1] + 1.2 * random() - 0.6];
    const meters = distanceMeters(...from, ...to);
    const { middle, fine } = sheetsAlong([from, to]);
    const [middles, fines] = [new Set(namesOf(middle)), new Set(namesOf(fine))];
    for (let k = 0; k <= 40; k++) {
      const east = 0.15 * meters * (random() - 0.5);
      const north = 0.15 * meters * (random() - 0.5);
      const latitude = from[1] + ((to[1] - from[1]) * k) / 40 + north / 111_200;
      const scale = 111_200 * Math.cos((latitude * Math.PI) / 180);
      const place: Position = [from[0] + ((to[0] - from[0]) * k) / 40 + east / scale, latitude];
      expect(fines).toContain(tileAt(place, 10));
      expect(middles).toContain(tileAt(place, 5));
    }
    expect(fine.length).toBeLessThan(400);
  }
});

test('the sheets along a trip begin with those under its legs, and end with those next to them', () => {
  const from: Position = [-76, 38];
  const to: Position = [-75, 38.7];
  const { fine } = sheetsAlong([from, to]);
  const names = namesOf(fine);
  const passed = new Set<string>();
  for (let k = 0; k <= 1000; k++) {
    passed.add(tileAt([from[0] + k / 1000, from[1] + (0.7 * k) / 1000], 10));
  }
  const last = Math.max(...[...passed].map((name) => names.indexOf(name)));
  expect(passed.size).toBeGreaterThan(4);
  expect(names.length).toBeGreaterThan(passed.size + 4);
  expect(last).toBeLessThan(passed.size + 3);
});

test('the sheets along an ocean passage are fine only near its ends, and a hundred at most', () => {
  const from: Position = [-5.5, 49.5];
  const to: Position = [-73.5, 40.2];
  const { middle, fine } = sheetsAlong([from, to]);
  expect(namesOf(fine)).toContain(tileAt(from, 10));
  expect(namesOf(fine)).toContain(tileAt(to, 10));
  expect(namesOf(fine)).not.toContain(tileAt([-40, 50], 10));
  expect(fine.length + middle.length).toBeLessThan(100);
});

test('the sheets along a trip at a pole are tiles that exist', () => {
  for (const latitude of [-90, -85.06, 85.06, 90]) {
    const { middle, fine } = sheetsAlong([
      [0, latitude],
      [179, latitude],
    ]);
    for (const { z, x, y } of [...middle, ...fine]) {
      expect([x >= 0, y >= 0, x < 2 ** z, y < 2 ** z]).toEqual([true, true, true, true]);
    }
  }
});
