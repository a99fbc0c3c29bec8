// Ground that is tiny compared with the world is found when descending to its tiles. Land and structures that are
// smaller than a pixel remain in them.

import { describe, expect, test } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { DEGREE } from '../../../tiles-build/quilt/coverage.ts';
import { degreeFrame, pictureFrame } from '../../../tiles-build/slice/frame.ts';
import { QueryLeaves } from '../../../tiles-build/slice/query-leaves.ts';
import { territoryOf } from '../../../tiles-build/slice/territory.ts';
import { pixelsAt } from '../../support/drawn-points.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenCell,
} from '../../support/written-chart.ts';

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

type Place = readonly [longitude: number, latitude: number];
type Box = readonly [west: number, south: number, east: number, north: number];

/** The box of a size in metres whose south-west corner is at a place. */
function boxAt([longitude, latitude]: Place, meters: number): Box {
  const north = meters / 111_195;
  return [
    longitude,
    latitude,
    longitude + north / Math.cos((latitude * Math.PI) / 180),
    latitude + north,
  ];
}

/** The places at which no line or area of a layer is within two and a half pixels. */
function missingAt(chart: WrittenChart, layer: string, zoom: number, places: readonly Place[]) {
  return places.filter((place) => {
    const tile = tileAt(zoom, place);
    const at = pixelsAt(zoom, place);
    const [x, y] = [(at.x - tile.x * 512) * 8, (at.y - tile.y * 512) * 8];
    const isNear = (path: Flat) =>
      path.some((value, i) => i % 2 === 0 && Math.hypot(value - x, path[i + 1]! - y) < 20);
    return !chart.tile(layer, tile).some(({ type, paths }) => type !== 1 && paths.some(isNear));
  });
}

/** A chart of a box of water with objects in it. */
const water = (name: string, box: Box, more: Omit<WrittenPlan, 'name'>): WrittenPlan => ({
  ...more,
  name,
  areas: [
    ['M_COVR', box, { CATCOV: 1 }],
    ['DEPARE', box, { DRVAL1: 20, DRVAL2: 50 }],
    ...more.areas,
  ],
});

describe('objects that are smaller than a pixel', () => {
  test('islands are land at the compilation scale too', async () => {
    const places = [2, 3, 5, 8, 12].flatMap((meters) =>
      [0.03, 0.1017, 0.2031].map((east) => [10 + east + meters / 700, 0.2, meters] as const),
    );
    const areas = places.map(
      ([x, y, meters]) => ['LNDARE', boxAt([x, y], meters)] as WrittenPlan['areas'][number],
    );
    const plan = { usageBand: 3, scaleDenominator: 40_000, areas };
    const chart = await WrittenChart.of([
      writtenCell(water('ZZ3ISLES', [10, 0.1, 10.4, 0.5], plan)),
    ]);
    const all = places.map(([x, y]) => [x, y] as const);
    for (const zoom of [9, 10, 11]) expect(missingAt(chart, 'LNDARE', zoom, all)).toEqual([]);
  });

  test('islands next to the border of two charts are land at every zoom', async () => {
    for (let k = 0; k < 12; k++) {
      const east = 0.3 + k * 0.000371;
      const places = Array.from({ length: 10 }, (_, i): Place => {
        const latitude = 50.05 + i * 0.05;
        const [west, , inner] = boxAt([10, latitude], 25 + i * 8);
        return [10 + east - (inner - west), latitude];
      });
      const areas = places.map((place) => ['LNDARE', boxAt(place, 15)] as const);
      const scale = { usageBand: 4, scaleDenominator: 50_000 };
      const chart = await WrittenChart.of([
        writtenCell(water('ZZ4WESTT', [10, 50, 10 + east, 50.6], { ...scale, areas })),
        writtenCell(water('ZZ4EASTT', [10 + east, 50, 10.6, 50.6], { ...scale, areas: [] })),
      ]);
      for (const zoom of [7, 8, 9, 10, 11]) {
        expect(missingAt(chart, 'LNDARE', zoom, places), `zoom ${zoom}`).toEqual([]);
      }
    }
  });

  test('islands that are lines are drawn at every zoom', async () => {
    const places = Array.from({ length: 12 }, (_, i): Place => [10.03 + i * 0.0473, 50.3]);
    const lines = places.map((place) => ['LNDARE', boxAt(place, 25)] as const);
    const plan = { usageBand: 3, scaleDenominator: 90_000, areas: [], lines };
    const chart = await WrittenChart.of([
      writtenCell(water('ZZ3LINES', [10, 50, 10.6, 50.6], plan)),
    ]);
    for (const zoom of [5, 7, 8, 9]) expect(missingAt(chart, 'LNDARE', zoom, places)).toEqual([]);
  });

  test.each(['OFSPLF', 'PYLONS', 'HULKES', 'SLCONS'])(
    '%s areas are drawn at the first zoom of their band',
    async (acronym) => {
      const places = Array.from({ length: 12 }, (_, i): Place => [10.03 + i * 0.0473, 50.3]);
      const areas = places.map((place) => [acronym, boxAt(place, 25)] as const);
      const plan = { usageBand: 3, scaleDenominator: 90_000, areas };
      const cell = writtenCell(water('ZZ3WORKS', [10, 50, 10.6, 50.6], plan));
      expect(missingAt(await WrittenChart.of([cell]), acronym, 9, places)).toEqual([]);
    },
  );
});
