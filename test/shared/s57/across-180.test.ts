// Longitudes of cells across 180°, and of cells wider than half the globe.

import { expect, test } from 'vitest';
import { CellBuilder, type Course, type Position } from '../../../shared/s57/write/cell-builder.ts';
import { harbourPlan, readContents } from '../../support/harbour-plan.ts';

type Place = readonly [longitude: number, latitude: number];

const written = ([x, y]: Place): Position => [Math.round(x * 1e7), Math.round(y * 1e7)];

/** Writes and reads a cell with one ring of water and some wrecks and lines. */
function write(
  ring: readonly Place[],
  wrecks: readonly Place[],
  lines: readonly Place[][] = [],
  scaleDenominator = 10_000_000,
) {
  const plan = { ...harbourPlan('ZZ1WORLD'), usageBand: 1, scaleDenominator };
  const builder = new CellBuilder(plan);
  const course: Course = { positions: [...ring, ring[0]!].map(written) };
  builder.area(1, 'M_COVR', [[{ course }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course }]], { DRVAL1: 10, DRVAL2: 20 });
  for (const [i, at] of wrecks.entries()) {
    builder.point(10 + i, 'WRECKS', written(at), { VALSOU: 5 });
  }
  for (const [i, line] of lines.entries()) {
    builder.line(100 + i, 'DEPCNT', [{ course: { positions: line.map(written) } }]);
  }
  return readContents(builder.contents());
}

function read(...parts: Parameters<typeof write>) {
  const result = write(...parts);
  const cell = result.cell!;
  const edges = [...cell.edges.values()].map(({ positions }) => longitudesOf(positions));
  return {
    problems: result.problems,
    skinDeviation: result.checks!.skinDeviation,
    extent: [Math.min(...edges.flat()), Math.max(...edges.flat())],
    wrecks: [...cell.isolatedNodes.values()].flatMap(({ positions }) => longitudesOf(positions)),
    edges,
  };
}

const longitudesOf = (positions: Float64Array): number[] =>
  [...positions].filter((_, i) => i % 2 === 0);

const box = (west: number, east: number, south = -60, north = 60): Place[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];

test('readCell continues beyond 180° for a cell that jumps from 180 to −180', () => {
  const cell = read(box(179, -179), [
    [179.5, 1],
    [-179.5, 1],
    [180, 2],
    [-180, 3],
  ]);
  expect(cell.extent).toEqual([179, 181]);
  expect(cell.wrecks).toEqual([179.5, 180.5, 180, 180]);
  expect(cell.problems).toEqual([]);
});

test('readCell continues beyond 180° for a ring with corners at both 180 and −180', () => {
  const [west, , , northWest] = box(170, -170);
  const ring: Place[] = [west!, [180, -60], [-180, -60], [-170, -60]];
  const cell = read([...ring, [-170, 60], [-180, 60], [180, 60], northWest!], [[-175, 1]]);
  expect(cell.extent).toEqual([170, 190]);
  expect(cell.wrecks).toEqual([185]);
});

test('readCell does not change a chart of the world, whatever part of it is empty', () => {
  for (const wrecks of [
    [],
    [[100, 1]],
    [
      [-100, 1],
      [0.5, 1],
      [100, 1],
    ],
  ] as const) {
    const cell = read(box(-180, 180), wrecks);
    expect(cell.extent).toEqual([-180, 180]);
    expect(cell.wrecks).toEqual(wrecks.map(([x]) => x));
  }
});

test('readCell does not change a chart of almost the whole world', () => {
  const wrecks: Place[] = [
    [-100, 1],
    [100, 1],
  ];
  expect(read(box(-179.5, 179.5), wrecks).extent).toEqual([-179.5, 179.5]);
});

test('readCell does not change a cell on both sides of Greenwich that is wider than half the globe', () => {
  const wrecks: Place[] = [
    [-0.5, 1],
    [0.5, 1],
  ];
  const contour: Place[] = [
    [-90, 5],
    [-30, 6],
    [0, 5],
    [30, 6],
    [90, 5],
  ];
  const cell = read(box(-100, 100), wrecks, [contour]);
  expect(cell.extent).toEqual([-100, 100]);
  expect(cell.wrecks).toEqual([-0.5, 0.5]);
  expect(cell.edges).toContainEqual([-90, -30, 0, 30, 90]);
});

test('readCell continues beyond 180° for a chart of the Pacific wider than half the globe', () => {
  const ring: Place[] = [
    [100, -60],
    [180, -60],
    [-140, -60],
    [-60, -60],
    [-60, 60],
    [-140, 60],
    [180, 60],
    [100, 60],
  ];
  const cell = read(ring, [
    [179.5, 1],
    [-179.5, 1],
  ]);
  expect(cell.extent).toEqual([100, 300]);
  expect(cell.wrecks).toEqual([179.5, 180.5]);
});

test('readCell continues beyond 180° for a cell from west of Greenwich eastward across 180°', () => {
  const ring: Place[] = [
    [-10, -60],
    [90, -60],
    [180, -60],
    [-150, -60],
    [-150, 60],
    [180, 60],
    [90, 60],
    [-10, 60],
  ];
  const cell = read(ring, [
    [-5, 1],
    [-155, 1],
  ]);
  expect(cell.extent).toEqual([-10, 210]);
  expect(cell.wrecks).toEqual([-5, 205]);
});

test('readCell shifts longitudes that a producer continued beyond ±180°', () => {
  expect(read(box(-190, -170), [[-185, 1]]).extent).toEqual([170, 190]);
  expect(read(box(181, 189), [[185, 1]]).extent).toEqual([-179, -171]);
  expect(read(box(175, 189), [[185, 1]]).extent).toEqual([175, 189]);
});

test('readCell refuses a cell of a large scale with a longitude on the other side of the globe', () => {
  const stray: Place[] = [[-0.5, 1]];
  const { cell, problems } = write(box(179, -179), stray, [], 900_000);
  expect([cell, problems]).toMatchObject([undefined, [{ code: 'doubtful-longitudes' }]]);
  expect(write(box(179, -179), [], [], 900_000).problems).toEqual([]);
  expect(write(box(179, -179), stray, [], 1_000_000).cell).toBeDefined();
});

test('readCell finds that the skin of a cell across 180° fills its coverage', () => {
  expect(read(box(179, -179), []).skinDeviation).toBe(0);
  expect(read(box(-180, 180), []).skinDeviation).toBe(0);
});
