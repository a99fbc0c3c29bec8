// Painted cells against JSTS: every cell that a shape touches, border included, has its depth, and no
// cell does that the shape stays away from.

import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js';
import { expect, test } from 'vitest';
import { HAZARD_GRID } from '../../../shared/route/hazard-codec.ts';
import { Canvas } from '../../../tiles-build/route/canvas.ts';
import { boxOfNode, cutToNode, uncut } from '../../../tiles-build/route/cut-item.ts';
import { gridUnits, NO_EFFECT, type RouteItem } from '../../../tiles-build/route/item.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const WIDTH = 32;
const Z = 14;
const NODE = { x: 8192, y: 5461 };
const BOX = boxOfNode(Z, NODE.x, NODE.y);
const CELL = (BOX.right - BOX.left) / WIDTH;
const MIDDLE_ROW = (BOX.top + BOX.bottom) / 2;
const geometries = new GeometryFactory();

type Path = number[];

test.each([
  ['areas', 20_260_611, star, 0],
  ['areas on the cells’ own borders', 20_260_612, onBorders, 0],
  ['lines', 20_260_613, walk, 0],
  ['lines with their surroundings', 20_260_614, walk, 3],
  ['points', 20_260_615, spot, 0],
  ['discs', 20_260_616, spot, 4],
] as const)('every cell that is touched, and no other: by %s', (_, seed, shape, radiusCells) => {
  const random = seededRandom(seed);
  const wrong: string[] = [];
  let [touched, free] = [0, 0];
  for (let i = 0; i < 60; i++) {
    const { kind, path } = shape(random);
    const radius = radiusCells * random();
    const radiusMeters = (radius * CELL) / gridUnits(1, MIDDLE_ROW);
    const effect = { ...NO_EFFECT, depth: 3, isGround: true, radius: radiusMeters };
    const ground = { ...NO_EFFECT, isGround: true };
    const feature = { id: '', objectClass: '', objectName: '' };
    const item: RouteItem = { shape: kind, paths: [path], effect, detail: 22, feature };
    const canvas = new Canvas(BOX, WIDTH);
    const all = { ...item, shape: 'area' as const, effect: ground, paths: [ringOfBox()] };
    for (const one of [all, item]) {
      const cut = cutToNode(uncut(one), Z, NODE.x, NODE.y);
      if (cut !== undefined) canvas.paint(cut);
    }
    const { depth } = canvas.finish();
    const geometry = geometryOf(kind, path);
    for (let cell = 0; cell < WIDTH * WIDTH; cell++) {
      const apart = DistanceOp.distance(geometry, squareOf(cell));
      const isShallow = depth[cell] !== 255;
      if (apart <= radius * CELL) touched++;
      else free++;
      if (apart <= radius * CELL && !isShallow) wrong.push(`${i}: ${cell} missed`);
      // Surroundings are drawn by rows, a little wide at the slant.
      const most = radius === 0 ? 1e-4 * CELL : (1.3 * radius + 1.6) * CELL;
      if (apart > most && isShallow) wrong.push(`${i}: ${cell} is ${apart / CELL} cells away`);
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(touched, free)).toBeGreaterThan(100);
});

type Drawn = { readonly kind: RouteItem['shape']; readonly path: Path };

/** Coordinates in cells from the corner to the grid. */
const placed = (cells: readonly number[]): Path =>
  cells.map((value, i) => Math.round((i % 2 === 0 ? BOX.left : BOX.top) + value * CELL));

function star(random: () => number): Drawn {
  const [x, y] = [random() * 40 - 4, random() * 40 - 4];
  const corners = 3 + Math.floor(random() * 12);
  const cells = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    const reach = 0.2 + random() * 18;
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  });
  return { kind: 'area', path: placed(cells.flat()) };
}

function onBorders(random: () => number): Drawn {
  const whole = () => Math.floor(random() * 34) - 1;
  const [left, top] = [whole(), whole()];
  const [right, bottom] = [
    left + 1 + Math.floor(random() * 12),
    top + 1 + Math.floor(random() * 12),
  ];
  return { kind: 'area', path: placed([left, top, right, top, right, bottom, left, bottom]) };
}

function walk(random: () => number): Drawn {
  let [x, y] = [random() * 32, random() * 32];
  const cells = Array.from({ length: 2 + Math.floor(random() * 8) }, () => {
    x += random() * 16 - 8;
    y += random() < 0.2 ? 0 : random() * 16 - 8;
    return [x, y];
  });
  return { kind: 'line', path: placed(cells.flat()) };
}

function spot(random: () => number): Drawn {
  const isOnBorder = random() < 0.3;
  const [x, y] = [random() * 34 - 1, random() * 34 - 1];
  return { kind: 'point', path: placed(isOnBorder ? [Math.round(x), Math.round(y)] : [x, y]) };
}

function ringOfBox(): Path {
  const [w, e] = [BOX.left - 9 * CELL, BOX.right + 9 * CELL];
  const [n, s] = [BOX.top - 9 * CELL, BOX.bottom + 9 * CELL];
  return [w, n, e, n, e, s, w, s];
}

/** From the corner, so that JSTS has small numbers. */
const at = (x: number, y: number) => new Coordinate(x - BOX.left, y - BOX.top);

function geometryOf(kind: RouteItem['shape'], path: Path): unknown {
  const coordinates = Array.from({ length: path.length / 2 }, (_, i) =>
    at(path[2 * i]!, path[2 * i + 1]!),
  );
  if (kind === 'point') return geometries.createPoint(coordinates[0]);
  if (kind === 'line') return geometries.createLineString(coordinates);
  return geometries.createPolygon([...coordinates, coordinates[0]]);
}

function squareOf(cell: number): unknown {
  const [x, y] = [BOX.left + (cell % WIDTH) * CELL, BOX.top + Math.floor(cell / WIDTH) * CELL];
  const corners = [at(x, y), at(x + CELL, y), at(x + CELL, y + CELL), at(x, y + CELL), at(x, y)];
  return geometries.createPolygon(corners);
}

test('the grid is finer than anything charted', () => {
  expect((2 * Math.PI * 6_378_137) / HAZARD_GRID).toBeLessThan(0.04);
});
