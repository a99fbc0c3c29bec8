// Rings that meet at a node: an exterior ring that meets itself becomes two rings, and a hole that begins
// at that node belongs to the ring that contains it.

import { expect, test } from 'vitest';
import { isPointInRing } from '../../../shared/geo/ring.ts';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { areaOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import {
  CellBuilder,
  type Course,
  type CourseUse,
  type Position,
} from '../../../shared/s57/write/cell-builder.ts';
import type { FileContents } from '../../../shared/s57/write/encode-file.ts';
import { boxCourse, harbourPlan, readContents } from '../../support/harbour-plan.ts';

const PLAN = harbourPlan('ZL5TOUCH');
const MEETING: Position = [500, 500];
const WATER = 3;
const NESTED = 4;

const course = (...positions: Position[]): Course => ({
  positions: [...positions, positions[0]!],
});
const south = course(MEETING, [200, 200], [800, 200]);
const north = course(MEETING, [800, 800], [200, 800]);
const limit = boxCourse(0, 0, 1000, 1000);

/** Water north and south of a node, with an island in one part that touches the node. */
function cellOf(island: Course, change: (contents: FileContents) => FileContents = (c) => c): Cell {
  const builder = new CellBuilder(PLAN);
  builder.area(1, 'M_COVR', [[{ course: limit }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course: limit }], [{ course: south }], [{ course: north }]]);
  builder.area(WATER, 'DEPARE', [[{ course: south }, { course: north }], [{ course: island }]]);
  builder.area(NESTED, 'CTNARE', [[{ course: north }], [{ course: island }]]);
  return readContents(change(builder.contents())).cell!;
}

/** The rings of the one area of a cell, as positions. */
function areaOfOnly(uses: readonly CourseUse[]) {
  const builder = new CellBuilder(PLAN);
  builder.area(1, 'CTNARE', [uses]);
  const cell = readContents(builder.contents()).cell!;
  return areaOf(cell, cell.features[0]!).map((rings) => rings.map(({ uses }) => positionsOf(uses)));
}

/** The rings of an area, each identified by its second position, which is unique. */
const ringsOf = (cell: Cell, number: number) =>
  areaOf(cell, cell.features.find(({ id }) => id.number === number)!).map((polygon) =>
    polygon.map(({ uses, exterior }) => {
      const [, , x, y] = positionsOf(uses);
      return `${exterior ? 'around' : 'without'} ${Math.round(x! * 1e7)},${Math.round(y! * 1e7)}`;
    }),
  );

test.each([
  ['north', course(MEETING, [550, 700], [450, 700]), 1, 'without 550,700'],
  ['south', course(MEETING, [450, 300], [550, 300]), 0, 'without 450,300'],
] as const)(
  'areaOf assigns an island that touches the node to the water that contains it, in the %s',
  (_, island, at, hole) => {
    const rings = [['around 200,200'], ['around 800,800']];
    rings[at]!.push(hole);
    expect(ringsOf(cellOf(island), WATER)).toEqual(rings);
  },
);

test.each([
  ['at that node', 0],
  ['elsewhere', 1],
])(
  'areaOf excludes ground enclosed by an exterior ring that meets itself, if the ring begins %s',
  (_, first) => {
    // Around the outside and back to the node, then around the island in the other direction.
    const around = course(MEETING, [900, 900], [100, 900]).positions;
    const island = course(MEETING, [450, 700], [550, 700]).positions;
    const uses = [around.slice(0, 2), around.slice(1), island].map((positions) => ({
      course: { positions },
    }));
    const turned = [...uses.slice(first), ...uses.slice(0, first)];
    const area = areaOfOnly(turned);
    const at = (x: number, y: number) =>
      area.flat().filter((ring) => isPointInRing(x, y, ring)).length % 2 === 1;
    expect(at(500e-7, 650e-7)).toBe(false);
    expect(at(500e-7, 850e-7)).toBe(true);
    expect(area).toHaveLength(1);
  },
);

test('readCell refuses an area with more loops at a node than a real one can have', () => {
  const builder = new CellBuilder(PLAN);
  const loops = Array.from({ length: 101 }, (_, i) => ({
    course: course(MEETING, [600 + i, 600], [600 + i, 700]),
  }));
  builder.area(1, 'M_COVR', [[{ course: limit }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [loops.slice(0, 100)]);
  expect(readContents(builder.contents()).cell).toBeDefined();
  builder.area(3, 'DEPARE', [loops]);
  const { cell, problems } = readContents(builder.contents());
  expect(cell).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'repeated-edges' }]);
});

/** A ring in a ring in a ring, with a usage (USAG) each: the polygons, as the west sides of their rings. */
function nestedRings(...usages: number[]) {
  const builder = new CellBuilder(PLAN);
  const boxes = [100, 200, 300].map((at) => ({ course: boxCourse(at, at, 1000 - at, 1000 - at) }));
  builder.area(NESTED, 'DEPARE', [boxes], { DRVAL1: 20, DRVAL2: 30 });
  const contents = builder.contents();
  const features = contents.features.map((feature) => ({
    ...feature,
    spatial: feature.spatial.map((use, i) => ({ ...use, usage: usages[i]! })),
  }));
  const cell = readContents({ ...contents, features }).cell!;
  return areaOf(cell, cell.features[0]!).map((polygon) =>
    polygon.map(({ uses, exterior }) => {
      const west = Math.round(positionsOf(uses)[0]! * 1e7);
      return exterior ? west : -west;
    }),
  );
}

test.each([
  // The ring of 200 is a hole. That of 300 is an island of the same area in it.
  [[1, 2, 1]],
  [[1, 255, 1]],
  [[1, 1, 1]],
  [[1, 3, 1]],
  [[1, 255, 255]],
  [[255, 255, 255]],
])('areaOf makes a ring within another a hole: USAG %o', (usages) => {
  expect(nestedRings(...usages)).toEqual([[100, -200], [300]]);
});

test('areaOf makes exterior rings that overlap separate polygons', () => {
  const boxes = [boxCourse(0, 0, 1000, 1000), boxCourse(800, 800, 1200, 1200)];
  const area = areaOfOnly(boxes.map((course) => ({ course })));
  expect(area.map((rings) => rings.length)).toEqual([1, 1]);
});

test('areaOf makes an interior ring a hole, and an exterior ring within a ring another hole', () => {
  expect(nestedRings(1, 2, 2)).toEqual([[100, -200, -300]]);
});

test('areaOf makes the smaller of two interior rings that meet at a node a hole of the larger', () => {
  const inward = (contents: FileContents): FileContents => ({
    ...contents,
    features: contents.features.map((feature) =>
      feature.number === NESTED
        ? { ...feature, spatial: feature.spatial.map((use) => ({ ...use, usage: 2 })) }
        : feature,
    ),
  });
  // The rings may meet at the southernmost position of both, or at the northernmost.
  const inNorth = cellOf(course(MEETING, [550, 700], [450, 700]), inward);
  expect(ringsOf(inNorth, NESTED)).toEqual([['around 800,800', 'without 550,700']]);
  const upsideDown = cellOf(course([800, 800], [510, 600], [500, 600]), inward);
  expect(ringsOf(upsideDown, NESTED)).toEqual([['around 800,800', 'without 510,600']]);
});
