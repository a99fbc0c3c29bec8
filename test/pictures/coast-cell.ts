// A coast that does not exist, with a forbidden area between the coast and the 5 m contour, so that its
// limit runs along both; a long bridge; and a light whose sectors have characters of their own.

import { CellBuilder, type Course, type CourseUse } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';

const [WEST, SOUTH] = [-21.8, 12];
const [WIDTH, HEIGHT] = [0.08, 0.06];
const DEGREE = 1e7;

/** Fractions of the cell's width and height. */
type Spot = readonly [x: number, y: number];

const degrees = ([x, y]: Spot) => [WEST + x * WIDTH, SOUTH + y * HEIGHT] as const;
const position = (spot: Spot) => {
  const [longitude, latitude] = degrees(spot);
  return [Math.round(longitude * DEGREE), Math.round(latitude * DEGREE)] as const;
};
const courseOf = (...spots: readonly Spot[]): Course => ({ positions: spots.map(position) });

/** Longitude and latitude of the centre of the pictures. */
export const COAST_PLACES = {
  limits: degrees([0.4, 0.55]),
  bridge: degrees([0.43, 0.12]),
  light: degrees([0.75, 0.6]),
} as const;

/** The x of a line from south to north at a given y. */
const bent = (x: number, y: number): number =>
  x + 0.03 * Math.sin(9 * y + 7 * x) + 0.012 * Math.sin(31 * y + 20 * x);
/** Heights between which the forbidden area lies. */
const [LOW, HIGH] = [0.3, 0.8];

/** A line from south to north in three parts. The second part is also a border of the forbidden area. */
function lineAt(x: number): readonly Course[] {
  const part = (from: number, to: number): Course => {
    const steps = Math.round((to - from) * 60);
    const spots = Array.from({ length: steps + 1 }, (_, i): Spot => {
      const y = from + ((to - from) * i) / steps;
      return [bent(x, y), y];
    });
    return courseOf(...spots);
  };
  return [part(0, LOW), part(LOW, HIGH), part(HIGH, 1)];
}

/** Shallow and deep end of the water east of each line, in metres. */
const WATER = [
  [0, 5],
  [5, 10],
  [10, 20],
] as const;
const LINES = [0.3, 0.46, 0.6];
const FORBIDDEN_BEYOND = 1;

/** The cell's base file. */
export function coastCell(): { readonly name: string; readonly bytes: Uint8Array } {
  const name = 'ZL5COAST';
  const header = { edition: 1, update: 0, issueDate: '20260101', agency: 65_534 };
  const builder = new CellBuilder({ name, usageBand: 5, scaleDenominator: 12_000, ...header });
  const lines = LINES.map(lineAt);
  const [west, east] = [courseOf([0, 0], [0, 1]), courseOf([1, 0], [1, 1])];
  const rows = [[west], ...lines, [east]];
  const xs = [0, ...LINES, 1];
  const atHeight = (i: number, y: number): Spot => [
    i === 0 || i === xs.length - 1 ? xs[i]! : bent(xs[i]!, y),
    y,
  ];
  const strip = (i: number): CourseUse[] => {
    const isBorder = (row: number) => row === 0 || row === rows.length - 1;
    const back = [...rows[i]!].reverse();
    return [
      { course: courseOf(atHeight(i, 0), atHeight(i + 1, 0)), atLimit: true },
      ...rows[i + 1]!.map((course) => ({ course, atLimit: isBorder(i + 1) })),
      { course: courseOf(atHeight(i + 1, 1), atHeight(i, 1)), atLimit: true },
      ...back.map((course) => ({ course, reversed: true, atLimit: isBorder(i) })),
    ];
  };
  const box = courseOf([0, 0], [1, 0], [1, 1], [0, 1], [0, 0]);
  let number = 1;
  builder.area(number++, 'M_COVR', [[{ course: box, atLimit: true }]], { CATCOV: 1 });
  builder.area(number++, 'LNDARE', [strip(0)]);
  builder.line(
    number++,
    'COALNE',
    lines[0]!.map((course) => ({ course })),
  );
  for (const [i, [DRVAL1, DRVAL2]] of WATER.entries()) {
    builder.area(number++, 'DEPARE', [strip(i + 1)], { DRVAL1, DRVAL2 });
    if (i === 0) continue;
    const uses = lines[i]!.map((course) => ({ course }));
    builder.line(number++, 'DEPCNT', uses, { VALDCO: DRVAL1 });
  }
  const [inner, outer] = [lines[0]![1]!, lines[FORBIDDEN_BEYOND]![1]!];
  const across = (y: number) => [atHeight(1, y), atHeight(1 + FORBIDDEN_BEYOND, y)] as const;
  const forbidden = [
    { course: courseOf(...across(LOW)) },
    { course: outer },
    { course: courseOf(...[...across(HIGH)].reverse()) },
    { course: inner, reversed: true },
  ];
  builder.area(number++, 'RESARE', [forbidden], { RESTRN: '7' });
  const bridge = courseOf([bent(0.3, 0.12), 0.12], [0.98, 0.12]);
  builder.line(number++, 'BRIDGE', [{ course: bridge }], { CATBRG: '1', VERCLR: 12 });
  for (const sector of SECTORS) {
    const [SECTR1, SECTR2, COLOUR, LITCHR, SIGPER] = sector;
    const words = { SECTR1, SECTR2, COLOUR, LITCHR, SIGPER, SIGGRP: '(1)', VALNMR: 8 };
    builder.point(number++, 'LIGHTS', position([0.75, 0.6]), words);
  }
  return { name, bytes: encodeFile(builder.contents()) };
}

/** From and to (from seaward), colour, character and period of each. */
const SECTORS = [
  [200, 250, '4', 2, 3],
  [250, 290, '1', 8, 6],
  [290, 340, '3', 2, 5],
] as const;
