// The skin of a cell: depth areas, land and structures, with the coastline, contours and quays
// along their boundaries.

import type {
  AttributeValues,
  CellBuilder,
  Course,
} from '../../../shared/s57/write/cell-builder.ts';
import { noise } from '../terrain/noise.ts';
import type { Boundary } from '../terrain/partition.ts';
import type { DemoCell } from './cells.ts';
import type { Ground } from './ground-of-cell.ts';
import { numberOf } from './identity.ts';

/** Adds the areas of the ground of a cell, and the lines between them. */
export function addGround(builder: CellBuilder, cell: DemoCell, { parts, relief }: Ground): void {
  for (const { label, rings } of parts.regions) {
    const { acronym, values } = skinOf(label);
    const first = rings[0]![0]!;
    const start = first.course.positions.at(first.reversed ? -1 : 0);
    builder.area(numberOf(`${cell.name} ${label} ${start}`), acronym, rings, values);
  }
  for (const boundary of parts.boundaries) addBoundary(builder, cell, boundary);
  for (const { height, positions } of relief) {
    const course = { positions };
    const number = lineNumber(cell, 'LNDELV', course);
    builder.line(number, 'LNDELV', [{ course }], { ELEVAT: height });
  }
}

function skinOf(label: string): { acronym: string; values: AttributeValues } {
  const [kind, from, to] = label.split(':');
  switch (kind) {
    case 'depth':
      return { acronym: 'DEPARE', values: { DRVAL1: Number(from), DRVAL2: Number(to) } };
    case 'dredged':
      return { acronym: 'DRGARE', values: { DRVAL1: Number(from), QUASOU: 10, RESTRN: '1' } };
    case 'pontoon':
      return { acronym: 'PONTON', values: {} };
    case 'floating dock':
      return { acronym: 'FLODOC', values: {} };
    case 'hulk':
      return { acronym: 'HULKES', values: { CATHLK: '4' } };
    case 'unsurveyed':
      return { acronym: 'UNSARE', values: {} };
    default:
      return { acronym: 'LNDARE', values: {} };
  }
}

function addBoundary(
  builder: CellBuilder,
  cell: DemoCell,
  { course, left, right }: Boundary,
): void {
  if (left === undefined || right === undefined) return;
  const kinds = [left, right].map((label) => label.split(':'));
  const has = (kind: string) => kinds.some(([word]) => word === kind);
  const isSolid = (kind: string | undefined) => kind === 'land' || kind === 'quay';
  const add = (acronym: string, values: AttributeValues) =>
    builder.line(lineNumber(cell, acronym, course), acronym, [{ course }], values);
  const solids = kinds.filter(([kind]) => isSolid(kind)).length;
  if (solids === 2) return;
  if (solids === 1 && has('quay')) add('SLCONS', { CATSLC: 6, CONDTN: 2 });
  else if (solids === 1) add('COALNE', { CATCOA: shoreOf(course) });
  else if (kinds.every(([kind]) => kind === 'depth')) {
    add('DEPCNT', { VALDCO: Math.max(...kinds.map(([, shoaler]) => Number(shoaler))) });
  }
}

const lineNumber = (cell: DemoCell, acronym: string, { positions }: Course) =>
  numberOf(`${cell.name} ${acronym} ${positions[0]} ${positions[1]} ${positions.length}`);

/** CATCOA by place: steep, flat, sandy, stony, shingle. */
function shoreOf({ positions }: Course): number {
  const [x, y] = positions[Math.floor(positions.length / 2)]!;
  const kind = 1 + Math.floor(2.5 * (1 + noise(x / 300_000, y / 300_000)));
  return Math.min(5, Math.max(1, kind));
}
