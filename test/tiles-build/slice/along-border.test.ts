// Lines on the border of the ground that a cell shows: a wall or a wreck there is in its tiles, its GeoJSON,
// its query results and its routes, for every direction of the border.

import { describe, expect, it, test } from 'vitest';
import { clipLine, type Flat } from '../../../shared/geo/clip-box.ts';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { EXTENT } from '../../../shared/mvt/encode.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { CellBuilder, type Course, type Position } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { itemsOfCell } from '../../../tiles-build/route/cell-items.ts';
import { linesOnGround } from '../../../tiles-build/slice/along-border.ts';
import { ownerOf } from '../../../tiles-build/slice/owner.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import { harbourPlan } from '../../support/harbour-plan.ts';
import { tileAt, WrittenChart } from '../../support/written-chart.ts';

type Place = readonly [longitude: number, latitude: number];

const written = ([x, y]: Place): Position => [Math.round(x * 1e7), Math.round(y * 1e7)];
const course = (...places: readonly Place[]): Course => ({ positions: places.map(written) });

const NORTH_WEST: Place = [10, 50.1];
/** Ground with borders in every direction. */
const LIMIT: readonly Place[] = [
  [10, 50],
  [10.1, 50],
  [10.1, 50.05],
  [10.06, 50.05],
  // A bend of some metres, which low zooms do not need.
  [10.05002, 50.06502],
  [10.04, 50.08],
  [10.04, 50.1],
  NORTH_WEST,
  [10, 50],
];

/** Walls on its border, by the name of the side. */
const WALLS: Readonly<Record<string, readonly [Place, Place]>> = {
  'the south': [
    [10.01, 50],
    [10.02, 50],
  ],
  'the east': [
    [10.1, 50.02],
    [10.1, 50.03],
  ],
  'a step in the north': [
    [10.068, 50.05],
    [10.062, 50.05],
  ],
  'a slanting side': [
    [10.06, 50.05],
    [10.05002, 50.06502],
  ],
  'the north': [
    [10.01, 50.1],
    [10.03, 50.1],
  ],
  'the west': [
    [10, 50.03],
    [10, 50.02],
  ],
};

function cellWith(
  walls: readonly (readonly Place[])[],
  name = 'ZZ5WALLS',
  acronym = 'OBSTRN',
  border = LIMIT,
): Cell {
  const builder = new CellBuilder(harbourPlan(name));
  const limit = course(...border);
  builder.area(1, 'M_COVR', [[{ course: limit, atLimit: true }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course: limit, atLimit: true }]], { DRVAL1: 5, DRVAL2: 10 });
  walls.forEach((places, i) => {
    const words = acronym === 'OBSTRN' ? { VALSOU: 1 } : {};
    builder.line(3 + i, acronym, [{ course: course(...places) }], words);
  });
  const base = { name: `${name}.000`, bytes: encodeFile(builder.contents()) };
  return readCell({ name, base, updates: [] }).cell!;
}

const OBSTRN = 86;

test.each(Object.entries(WALLS))(
  'a wall along the border in %s is in all outputs, in either direction',
  async (_, [from, to]) => {
    const middle: Place = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    for (const wall of [[from, to] as const, [to, from] as const]) {
      const cell = cellWith([wall]);
      const chart = await WrittenChart.of([cell]);
      for (const zoom of [14, 15]) {
        const lines = chart.features('OBSTRN', zoom, middle).filter(({ type }) => type === 2);
        expect(lines, `tile of zoom ${zoom}`).toHaveLength(1);
      }
      const ownership = chart.ownershipOf(cell);
      const held = sliceQuery(cell, ownership, chart.clipper).flatMap(({ bytes }) => [
        ...new Bucket(bytes).classes,
      ]);
      expect(held, 'query').toContain(OBSTRN);
      const { features } = (await DataTiles.raw([cell])).read(tileAt(14, middle))!;
      expect(JSON.stringify(features), 'GeoJSON').toContain('"OBSTRN"');
      const items = itemsOfCell(ownerOf(cell), cell, ownership, chart.clipper);
      expect(
        items.map(({ feature }) => feature.objectClass),
        'routes',
      ).toContain('OBSTRN');
    }
  },
);

/** The length in units of the lines of a layer, over all tiles of a zoom around the cell. */
function drawnLength(chart: WrittenChart, layer: string, zoom: number): number {
  const [first, last] = [tileAt(zoom, NORTH_WEST), tileAt(zoom, [10.1, 50])];
  const box = { left: 0, top: 0, right: EXTENT, bottom: EXTENT };
  let length = 0;
  for (let x = first.x; x <= last.x; x++) {
    for (let y = first.y; y <= last.y; y++) {
      for (const { type, paths } of chart.tile(layer, { z: zoom, x, y })) {
        if (type !== 2) continue;
        for (const path of paths) {
          for (const piece of clipLine(path, box)) length += lengthOf(piece);
        }
      }
    }
  }
  return length;
}

function lengthOf(path: Flat): number {
  let length = 0;
  for (let i = 2; i < path.length; i += 2) {
    length += Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!);
  }
  return length;
}

describe('a coast along the whole border', () => {
  const zooms = [9, 11, 12, 13, 14, 15];
  const lengthAt = (zoom: number, places: readonly Place[]) =>
    lengthOf(places.flatMap(([x, y]) => [mercatorX(x), mercatorY(y)])) * 2 ** zoom * EXTENT;
  const ways = [LIMIT, LIMIT.toReversed()];

  it('is drawn in all of its length at each zoom, in either direction', async () => {
    for (const coast of ways) {
      const chart = await WrittenChart.of([cellWith([coast], 'ZZ5COAST', 'COALNE')]);
      for (const zoom of zooms) {
        const missing = lengthAt(zoom, LIMIT) - drawnLength(chart, 'COALNE', zoom);
        expect(Math.abs(missing), `zoom ${zoom}`).toBeLessThan(LIMIT.length);
      }
    }
  });

  it('is drawn by each of two adjacent cells that contain it', async () => {
    const side: readonly Place[] = LIMIT.slice(3, 6);
    const beyond: readonly Place[] = [...side, [10.06, 50.08], LIMIT[3]!];
    for (const coast of [side, side.toReversed()]) {
      const west = cellWith([coast], 'ZZ5COAST', 'COALNE');
      const east = cellWith([coast], 'ZZ5OTHER', 'COALNE', beyond);
      for (const [cells, times] of [
        [[west, cellWith([], 'ZZ5OTHER', 'COALNE', beyond)], 1],
        [[cellWith([], 'ZZ5COAST', 'COALNE'), east], 1],
        [[west, east], 2],
      ] as const) {
        const chart = await WrittenChart.of(cells);
        for (const zoom of zooms) {
          const missing = times * lengthAt(zoom, side) - drawnLength(chart, 'COALNE', zoom);
          expect(Math.abs(missing), `zoom ${zoom}`).toBeLessThan(times * side.length);
        }
      }
    }
  });
});

const SQUARE: Flat = [0, 0, 100, 0, 100, 100, 0, 100];

test.each<[string, Flat, readonly Flat[]]>([
  ['inside', [10, 10, 90, 10], [[10, 10, 90, 10]]],
  ['outside', [110, 10, 190, 10], []],
  ['across', [50, 50, 150, 50], [[50, 50, 100, 50]]],
  ['along the border and beyond its end', [50, 100, 150, 100], [[50, 100, 100, 100]]],
  ['along the border from before its end', [-50, 100, 50, 100], [[0, 100, 50, 100]]],
  [
    'along the border and then inside',
    [100, 20, 100, 40, 50, 40],
    [
      [100, 20, 100, 40],
      [100, 40, 50, 40],
    ],
  ],
  ['along the border and then outside', [100, 20, 100, 40, 150, 40], [[100, 20, 100, 40]]],
  ['around a corner', [20, 0, 0, 0, 0, 20], [[20, 0, 0, 0, 0, 20]]],
])('the parts of a line %s that lie on the ground are kept', async (_, line, kept) => {
  const lines = linesOnGround([line], [SQUARE], await loadClipper());
  const oneWay = (path: Flat) => {
    const turned = Array.from({ length: path.length / 2 }, (_, i) =>
      path.slice(-2 * i - 2).slice(0, 2),
    );
    return [path.join(), turned.flat().join()].sort()[0];
  };
  expect(lines.map(oneWay).sort()).toEqual(kept.map(oneWay).sort());
});

test('a line on the border of two adjacent parts of the ground is kept once', async () => {
  const parts: Flat[] = [SQUARE, [100, 0, 200, 0, 200, 100, 100, 100]];
  const lines = linesOnGround([[100, 10, 100, 90]], parts, await loadClipper());
  expect(lines).toEqual([[100, 10, 100, 90]]);
});
