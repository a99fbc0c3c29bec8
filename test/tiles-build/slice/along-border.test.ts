// Lines on the border of the ground that a cell shows: a wall or a wreck there is in its tiles, its GeoJSON,
// its query results and its routes, for every direction of the border.

import { expect, test } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
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
    [10.04, 50.08],
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

function cellWith(walls: readonly (readonly [Place, Place])[], name = 'ZZ5WALLS'): Cell {
  const builder = new CellBuilder(harbourPlan(name));
  const limit = course(...LIMIT);
  builder.area(1, 'M_COVR', [[{ course: limit, atLimit: true }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course: limit, atLimit: true }]], { DRVAL1: 5, DRVAL2: 10 });
  walls.forEach((places, i) => {
    builder.line(3 + i, 'OBSTRN', [{ course: course(...places) }], { VALSOU: 1 });
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
