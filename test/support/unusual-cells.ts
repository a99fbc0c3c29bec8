// Cells with unrealistic shapes that a build must accept: rings of hundreds of thousands of vertices, lines of a
// million vertices, hundreds of thousands of points in one tile.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CellBuilder, type Course, type Position } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { seededRandom } from './seeded-random.ts';

/** Degrees: west, south, east, north. */
type Box = readonly [west: number, south: number, east: number, north: number];

const DEGREE = 1e7;
const written = ([x, y]: readonly [number, number]): Position => [
  Math.round(x * DEGREE),
  Math.round(y * DEGREE),
];

const GROUND: Box = [10, 50, 10.4, 50.4];
const MIDDLE = [10.2, 50.2] as const;

interface Plan {
  readonly name: string;
  readonly usageBand: number;
  readonly scaleDenominator: number;
}

const APPROACH: Plan = { name: 'ZZ4LARGE', usageBand: 4, scaleDenominator: 50_000 };

function builderOf(plan: Plan): CellBuilder {
  return new CellBuilder({
    ...plan,
    edition: 1,
    update: 0,
    issueDate: '20260101',
    agency: 65_534,
  });
}

function courseAround([west, south, east, north]: Box): Course {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  return { positions: corners.map(written) };
}

/** A cell of one depth area with further objects. */
function cellOf(plan: Plan, box: Box, add: (builder: CellBuilder, water: Course) => void) {
  const builder = builderOf(plan);
  const water = courseAround(box);
  builder.area(1, 'M_COVR', [[{ course: water, atLimit: true }]], { CATCOV: 1 });
  add(builder, water);
  return { name: plan.name, bytes: encodeFile(builder.contents()) };
}

const depths = { DRVAL1: 5, DRVAL2: 10 };

function fill(builder: CellBuilder, course: Course): void {
  builder.area(2, 'DEPARE', [[{ course, atLimit: true }]], depths);
}

/** An island with many spikes in the middle of the water. */
function star(vertices: number): Course {
  const positions = Array.from({ length: vertices }, (_, i) => {
    const [radius, turn] = [i % 2 === 0 ? 0.15 : 0.05, (2 * Math.PI * i) / vertices];
    return written([
      MIDDLE[0] + radius * Math.cos(turn),
      MIDDLE[1] + radius * Math.sin(turn),
    ] as const);
  });
  return { positions: [...positions, positions[0]!] };
}

function island(vertices: number) {
  return cellOf(APPROACH, GROUND, (builder, water) => {
    const coast = star(vertices);
    builder.area(2, 'DEPARE', [[{ course: water, atLimit: true }], [{ course: coast }]], depths);
    builder.area(3, 'LNDARE', [[{ course: coast }]]);
    builder.line(4, 'COALNE', [{ course: coast }]);
  });
}

const random = () => seededRandom(20_261_123);

/** Unusual cells by their description; the size replaces "so many". */
export const UNUSUAL_CELLS = {
  'an island of so many vertices': (size: number) => [island(size)],
  'an island of so many vertices, half of it below a finer cell': (size: number) => [
    island(size),
    cellOf(
      { name: 'ZZ5FINER', usageBand: 5, scaleDenominator: 10_000 },
      [10.2, 50.1, 10.3, 50.3],
      fill,
    ),
  ],
  'a contour of so many vertices': (size: number) => [
    cellOf(APPROACH, GROUND, (builder, water) => {
      fill(builder, water);
      const next = random();
      let [x, y]: [number, number] = [...MIDDLE];
      const positions = Array.from({ length: size }, () => {
        x = Math.min(Math.max(x + (next() - 0.5) * 1e-3, 10.01), 10.39);
        y = Math.min(Math.max(y + (next() - 0.5) * 1e-3, 50.01), 50.39);
        return written([x, y]);
      });
      builder.line(3, 'DEPCNT', [{ course: { positions } }], { VALDCO: 10 });
    }),
  ],
  'so many soundings in one record': (size: number) => [
    cellOf(APPROACH, GROUND, (builder, water) => {
      fill(builder, water);
      const next = random();
      const soundings = Array.from({ length: size }, () => ({
        position: written([10.01 + 0.38 * next(), 50.01 + 0.38 * next()]),
        depth: 5 + Math.round(50 * next()) / 10,
      }));
      builder.soundings(3, soundings);
    }),
  ],
  'so many rocks in half a kilometre': (size: number) => [
    cellOf(APPROACH, GROUND, (builder, water) => {
      fill(builder, water);
      const next = random();
      for (let i = 0; i < size; i++) {
        const place = written([10.2 + 0.005 * next(), 50.2 + 0.005 * next()]);
        builder.point(10 + i, 'UWTROC', place, { VALSOU: Math.round(next() * 90) / 10, WATLEV: 3 });
      }
    }),
  ],
  'coverage in so many parts': (size: number) => {
    const builder = builderOf(APPROACH);
    const side = Math.ceil(Math.sqrt(size));
    for (let i = 0; i < size; i++) {
      const [west, south] = [
        10 + ((i % side) * 0.4) / side,
        50 + (Math.floor(i / side) * 0.4) / side,
      ];
      const part = courseAround([west, south, west + 0.3 / side, south + 0.3 / side]);
      builder.area(1 + i, 'M_COVR', [[{ course: part, atLimit: true }]], { CATCOV: 1 });
      builder.area(1 + size + i, 'DEPARE', [[{ course: part, atLimit: true }]], depths);
    }
    return [{ name: APPROACH.name, bytes: encodeFile(builder.contents()) }];
  },
  'an overview of so many degrees from west to east': (size: number) => [
    cellOf(
      { name: 'ZZ1WORLD', usageBand: 1, scaleDenominator: 10_000_000 },
      [-100, -60, -100 + size, 60],
      fill,
    ),
  ],
} as const satisfies Readonly<
  Record<string, (size: number) => readonly { readonly name: string; readonly bytes: Uint8Array }[]>
>;

export type UnusualCells = keyof typeof UNUSUAL_CELLS;

/** Write such cells into a folder in the layout of an exchange set. */
export function writeUnusualCells(folder: string, kind: UnusualCells, size: number): void {
  for (const { name, bytes } of UNUSUAL_CELLS[kind](size)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, `${name}.000`), bytes);
  }
}
