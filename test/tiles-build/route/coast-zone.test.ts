// The coastal zone compared with geodesics: it contains every position within 12 nautical miles of a
// shore, and none that is much farther away.

import { describe, expect, test } from 'vitest';
import { geodesicMeters } from '../../../shared/geo/geodesic.ts';
import { latitudeAt, longitudeAt, mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { HAZARD_GRID } from '../../../shared/route/hazard-codec.ts';
import {
  COAST_CELLS,
  COAST_METERS,
  CoastZone,
  decodeCoast,
  encodeCoast,
} from '../../../tiles-build/route/coast-zone.ts';
import { buffered } from '../../../tiles-build/route/widened.ts';
import { seededRandom } from '../../support/seeded-random.ts';

type XY = readonly [number, number];

const onGrid = ([x, y]: XY): number[] => [mercatorX(x) * HAZARD_GRID, mercatorY(y) * HAZARD_GRID];

function zoneOf(path: readonly XY[]): (place: XY) => boolean {
  const zone = new CoastZone();
  zone.add(path.flatMap(onGrid), false);
  const sheets = new Map(
    Array.from(zone.sheets(), (sheet) => [
      `${sheet.x}/${sheet.y}`,
      decodeCoast(encodeCoast(sheet)),
    ]),
  );
  return ([longitude, latitude]) => {
    const across = 256 * COAST_CELLS;
    const x = Math.floor((((mercatorX(longitude) % 1) + 1) % 1) * across);
    const y = Math.floor(mercatorY(latitude) * across);
    const sheet = sheets.get(`${Math.floor(x / COAST_CELLS)}/${Math.floor(y / COAST_CELLS)}`);
    return sheet?.cells[(y % COAST_CELLS) * COAST_CELLS + (x % COAST_CELLS)] === 1;
  };
}

describe('the coastal zone contains everything within 12 nautical miles', () => {
  test.each<readonly [string, XY, XY]>([
    ['at the equator', [10, 0], [10.3, 0.1]],
    ['in Boston', [-71, 42.3], [-70.9, 42.35]],
    ['of a single rock', [-30, 50], [-30, 50]],
    ['on the border of sheets', [11.25, mercatorLatitude(96)], [11.25, mercatorLatitude(96)]],
    ['across 180°', [179.95, -17], [179.99, -17.1]],
    ['at 70° north', [20, 70], [20.5, 70.1]],
    ['at 84° south', [-100, -84], [-99, -84]],
    ['at the edge of the projected plane', [179.9, 85], [179.9, 85]],
  ])('%s, and little more (seed 12)', (_, a, b) => {
    const isCoastal = zoneOf([a, b]);
    const random = seededRandom(12);
    const cell = 40_075_000 / 2 ** 15;
    let [inside, outside] = [0, 0];
    for (let i = 0; i < 4000; i++) {
      const latitude = Math.max(-85, Math.min(85, a[1] + (random() - 0.5)));
      const narrow = Math.cos((Math.min(84, Math.abs(latitude)) * Math.PI) / 180);
      const longitude = a[0] + ((random() - 0.5) * 1.2) / narrow;
      const meters = metersFrom([longitude, latitude], a, b);
      const isIn = isCoastal([longitude, latitude]);
      if (meters <= COAST_METERS) {
        inside++;
        expect(isIn, `${longitude} ${latitude} at ${meters} m`).toBe(true);
      }
      if (meters > COAST_METERS * 1.01 + 500 + 1.5 * cell * narrow + 1000) {
        outside++;
        expect(isIn, `${longitude} ${latitude} at ${meters} m`).toBe(false);
      }
    }
    expect(inside).toBeGreaterThan(100);
    expect(outside).toBeGreaterThan(100);
  });
});

test('an area is enlarged by at least the given distance, and at most by a twentieth more', () => {
  const island: XY[] = [
    [20, 60],
    [20.2, 60],
    [20.1, 60.1],
  ];
  const rings = buffered([island.flatMap(onGrid)], 1000);
  const holds = (place: XY) => {
    const [x, y] = onGrid(place) as [number, number];
    return rings.some((ring) => winds(ring, x, y));
  };
  const random = seededRandom(5);
  for (let i = 0; i < 3000; i++) {
    const place: XY = [19.95 + random() * 0.3, 59.97 + random() * 0.16];
    const meters = Math.min(
      ...island.map((a, k) => metersFrom(place, a, island[(k + 1) % island.length]!)),
    );
    if (meters < 1000) expect(holds(place), `${place} ${meters}`).toBe(true);
    if (meters > 1060 && !winds(island.flatMap(onGrid), ...(onGrid(place) as [number, number]))) {
      expect(holds(place), `${place} ${meters}`).toBe(false);
    }
  }
});

function mercatorLatitude(sheetRow: number): number {
  return latitudeAt(sheetRow / 256);
}

/** The minimum distance to positions along a straight line of the plane. */
function metersFrom([x, y]: XY, a: XY, b: XY): number {
  const [ax, ay, bx, by] = [mercatorX(a[0]), mercatorY(a[1]), mercatorX(b[0]), mercatorY(b[1])];
  let least = Number.POSITIVE_INFINITY;
  const count = ax === bx && ay === by ? 0 : 60;
  for (let k = 0; k <= count; k++) {
    const t = count === 0 ? 0 : k / count;
    const [px, py] = [longitudeAt(ax + (bx - ax) * t), latitudeAt(ay + (by - ay) * t)];
    least = Math.min(least, geodesicMeters(x, y, px, py));
  }
  return least;
}

function winds(ring: readonly number[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  }
  return inside;
}
