// Shapes of the feature query at 180°: a cell across the meridian compared with the same cell elsewhere, vertex by
// vertex.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { BucketWriter } from '../../../shared/query/bucket-writer.ts';
import type { QueryRecord, RecordShape } from '../../../shared/query/record.ts';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { CellBuilder, type Position } from '../../../shared/s57/write/cell-builder.ts';
import { type Clipper, loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { boxCourse, harbourPlan, readContents } from '../../support/harbour-plan.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const DEGREE = 1e7;
const HALF_CIRCLE = 180 * DEGREE;
const LINES = 60;
const AREAS = 12;
/** Half the width and height of the cell, in units of 1e-7 degrees. */
const REACH = 400_000;
const SOUTH = 59 * DEGREE;

const random = seededRandom(20_261_124);
/** Near the middle of the cell: lines of 2 to 120 vertices, so that some are spread over buckets. */
const LINE_STEPS: readonly Position[][] = Array.from({ length: LINES }, (_, i) =>
  Array.from({ length: i % 5 === 0 ? 120 : 2 + (i % 7) }, (_, k): Position => {
    const side = k % 2 === 0 ? -1 : 1;
    return [side * whole(REACH - 1), whole(2 * REACH)];
  }),
);
const RING_STEPS: readonly Position[][] = Array.from({ length: AREAS }, (_, i) => {
  const corners = i % 4 === 0 ? 130 : 3 + i;
  const middleY = REACH / 2 + whole(REACH);
  return Array.from({ length: corners }, (_, k): Position => {
    const angle = (-2 * Math.PI * k) / corners;
    const radius = REACH * (0.2 + 0.2 * random());
    const [x, y] = [radius * Math.cos(angle), middleY + radius * Math.sin(angle)];
    return [Math.round(x), Math.round(y)];
  });
});

function whole(most: number): number {
  return 1 + Math.floor(random() * (most - 1));
}

/** @param middle longitude of its middle, in units of 1e-7 degrees */
function cellAt(middle: number): Cell {
  const name = middle === HALF_CIRCLE ? 'ZZ5ACROS' : 'ZZ5ELSEW';
  const builder = new CellBuilder(harbourPlan(name));
  const place = ([x, y]: Position): Position => {
    const at = x + middle;
    return [at > HALF_CIRCLE ? at - 2 * HALF_CIRCLE : at, y + SOUTH];
  };
  const limit = boxCourse(-REACH, 0, REACH, 2 * REACH).positions;
  const edge = (steps: readonly Position[]) => [{ course: { positions: steps.map(place) } }];
  builder.area(1, 'M_COVR', [edge(limit)], { CATCOV: 1 });
  LINE_STEPS.forEach((steps, i) => {
    builder.line(100 + i, 'CBLSUB', edge(steps));
  });
  RING_STEPS.forEach((steps, i) => {
    builder.area(200 + i, 'CBLARE', [edge([...steps, steps[0]!])]);
  });
  const { cell, problems } = readContents(builder.contents());
  if (cell === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return cell;
}

/** The records of the buckets of some cells together. */
function recordsOf(cells: readonly Cell[], clipper: Clipper): readonly QueryRecord[] {
  const owners = computeOwnership(cells.map(coverageOf), clipper);
  return cells
    .flatMap((cell) => sliceQuery(cell, owners.get(cell.header.name)!, clipper))
    .flatMap(({ bytes }) => {
      const bucket = new Bucket(bytes);
      return Array.from({ length: bucket.count }, (_, i) => bucket.record(i));
    });
}

/** Whole shapes of a cell by the number of their feature. */
function shapesOf(cell: Cell, clipper: Clipper): ReadonlyMap<number, RecordShape> {
  const whole = recordsOf([cell], clipper).filter(({ shape }) => shape.type !== 'part');
  return new Map(whole.map(({ number, shape }) => [number, shape]));
}

/** Vertices with longitudes that continue beyond 180°, without those on the meridian. */
function verticesOf(paths: readonly Flat[], middle: number): Set<string> {
  const vertices = new Set<string>();
  for (const path of paths) {
    for (let i = 0; i < path.length; i += 2) {
      const turned = path[i]! < 0 && middle === HALF_CIRCLE ? 2 * HALF_CIRCLE : 0;
      const x = path[i]! + turned - middle;
      if (x !== 0) vertices.add(`${x} ${path[i + 1]!}`);
    }
  }
  return vertices;
}

const pathsOf = (shape: RecordShape | undefined): readonly Flat[] =>
  shape?.type === 'line' ? shape.lines : shape?.type === 'area' ? shape.polygons.flat() : [];

const ELSEWHERE = 20 * DEGREE;

describe('sliceQuery of a cell across 180°', () => {
  let across: ReadonlyMap<number, RecordShape>;
  let elsewhere: ReadonlyMap<number, RecordShape>;
  let clipper: Clipper;

  beforeAll(async () => {
    clipper = await loadClipper();
    across = shapesOf(cellAt(HALF_CIRCLE), clipper);
    elsewhere = shapesOf(cellAt(ELSEWHERE), clipper);
  });

  it('returns every vertex of lines', () => {
    for (let i = 0; i < LINES; i++) {
      const found = verticesOf(pathsOf(across.get(100 + i)), HALF_CIRCLE);
      expect(found, `line ${i}`).toEqual(verticesOf(pathsOf(elsewhere.get(100 + i)), ELSEWHERE));
      expect(found.size).toBeGreaterThan(0);
    }
  });

  it('stores the whole geometry near its feature', () => {
    const homes = recordsOf([cellAt(HALF_CIRCLE)], clipper).flatMap(({ shape }) =>
      shape.type === 'part' ? [shape.home] : [],
    );
    expect(homes.length).toBeGreaterThan(0);
    const columns = homes.map(({ z, x }) => Math.min(x, 2 ** z - 1 - x));
    expect(Math.max(...columns)).toBeLessThan(4);
  });

  it('gives a point of two cells on the meridian one position', () => {
    const half = (name: string, at: number, west: number) => {
      const builder = new CellBuilder(harbourPlan(name));
      const course = boxCourse(west, SOUTH, west + REACH, SOUTH + REACH);
      builder.area(1, 'M_COVR', [[{ course }]], { CATCOV: 1 });
      builder.point(2, 'BOYLAT', [at, SOUTH + REACH / 2], { BOYSHP: 2 });
      return readContents(builder.contents()).cell!;
    };
    const west = half('ZZ5WEST1', HALF_CIRCLE, HALF_CIRCLE - REACH);
    const east = half('ZZ5EAST1', -HALF_CIRCLE, -HALF_CIRCLE);
    const buoys = recordsOf([west, east], clipper).filter(({ number }) => number === 2);
    expect(new Set(buoys.map(({ cell }) => cell)).size).toBe(2);
    for (const { shape } of buoys) expect(shape).toMatchObject({ x: -HALF_CIRCLE });
  });

  it('cuts each line at the meridian, to the nearest unit', () => {
    LINE_STEPS.forEach((steps, i) => {
      const cuts = pathsOf(across.get(100 + i)).flatMap((path) =>
        path.filter((_, k) => k % 2 === 1 && Math.abs(path[k - 1]!) === HALF_CIRCLE),
      );
      const expected = steps.slice(1).flatMap(([bx, by], k) => {
        const [ax, ay] = steps[k]!;
        const y = Math.round(SOUTH + ay + ((by - ay) * -ax) / (bx - ax));
        return [y, y];
      });
      const sorted = (values: number[]) => values.sort((a, b) => a - b);
      sorted(expected);
      expect(cuts).toHaveLength(expected.length);
      sorted(cuts).forEach((y, k) => {
        expect(Math.abs(y - expected[k]!), `line ${i}`).toBeLessThanOrEqual(1);
      });
    });
  });

  it('returns every vertex of areas, with their size', () => {
    const sizeOf = (paths: readonly Flat[]) =>
      paths.reduce((sum, path) => sum + Math.abs(doubleArea(path)), 0);
    for (let i = 0; i < AREAS; i++) {
      const [here, there] = [across, elsewhere].map((found) => pathsOf(found.get(200 + i)));
      expect(verticesOf(here!, HALF_CIRCLE)).toEqual(verticesOf(there!, ELSEWHERE));
      expect(sizeOf(here!) / sizeOf(there!)).toBeCloseTo(1, 5);
    }
  });
});

describe('BucketWriter', () => {
  const add = (shape: RecordShape) => () => {
    const writer = new BucketWriter({ left: 0, top: 0, right: 10, bottom: 10 });
    const facts = { classCode: 22, cell: 'ZZ5DEMO1.1', agency: 1, number: 1, subdivision: 1 };
    writer.add({ ...facts, attributes: '{}', shape });
  };

  it('rejects coordinates that are not integers', () => {
    expect(add({ type: 'line', lines: [[0, 0, 5, 5]] })).not.toThrow();
    for (const bad of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(add({ type: 'line', lines: [[0, 0, 5, bad]] })).toThrow(RangeError);
      expect(add({ type: 'area', polygons: [[[0, 0, 5, 0, bad, 5]]] })).toThrow(RangeError);
      expect(add({ type: 'point', x: bad, y: 0 })).toThrow(RangeError);
    }
  });
});
