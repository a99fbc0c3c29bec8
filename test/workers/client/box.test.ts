// What lies in view, also across 180° and round the globe.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxOf, holds, isWithin } from '../../../workers/web/client/chart/box.ts';

/** A map that shows these bounds, unwrapped as maps give them. */
const mapOf = (west: number, south: number, east: number, north: number) =>
  ({
    getBounds: () => ({
      getWest: () => west,
      getSouth: () => south,
      getEast: () => east,
      getNorth: () => north,
    }),
  }) as unknown as Parameters<typeof boxOf>[0];

describe('the box of a view', () => {
  test('the box of a view is widened on every side, and wrapped', () => {
    expect(boxOf(mapOf(10, 50, 12, 51), 0.5)).toEqual({
      west: 9,
      south: 49.5,
      east: 13,
      north: 51.5,
    });
    const across = boxOf(mapOf(179, -18, 181, -17), 0);
    expect(across).toEqual({ west: 179, south: -18, east: -179, north: -17 });
    expect(holds(across, { latitude: -17.5, longitude: 179.5 })).toBe(true);
    expect(holds(across, { latitude: -17.5, longitude: -179.5 })).toBe(true);
    expect(holds(across, { latitude: -17.5, longitude: 178 })).toBe(false);
    expect(holds(across, { latitude: -17.5, longitude: -178 })).toBe(false);
  });

  test('the box of a view ends at the poles, and is the whole world if the view shows all longitudes', () => {
    const world = boxOf(mapOf(-300, -85, 300, 85), 0.5);
    expect(world).toEqual({ west: -180, south: -90, east: 180, north: 90 });
    expect(holds(world, { latitude: 90, longitude: 180 })).toBe(true);
    expect(isWithin(boxOf(mapOf(170, 0, 190, 5), 0), world)).toBe(true);
    expect(isWithin(world, boxOf(mapOf(170, 0, 190, 5), 0))).toBe(false);
  });

  test('a view lies within its widened self wherever it is, and a shifted one does not', () => {
    const view = fc.record({
      west: fc.double({ min: -500, max: 500, noNaN: true }),
      width: fc.double({ min: 0.001, max: 100, noNaN: true }),
      south: fc.double({ min: -60, max: 60, noNaN: true }),
    });
    fc.assert(
      fc.property(view, ({ west, width, south }) => {
        const at = (shift: number, margin: number) =>
          boxOf(mapOf(west + shift, south, west + shift + width, south + 1), margin);
        expect(isWithin(at(0, 0), at(0, 0.5))).toBe(true);
        expect(isWithin(at(width * 0.4, 0), at(0, 0.5))).toBe(true);
        expect(isWithin(at(width * 0.6, 0), at(0, 0.5))).toBe(false);
        expect(isWithin(at(-width * 0.6, 0), at(0, 0.5))).toBe(false);
      }),
      { seed: 4 },
    );
  });
});
