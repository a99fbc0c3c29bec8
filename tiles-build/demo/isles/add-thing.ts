// Adds objects to a cell: cuts them at the cell limit and marks the edges on the limit as no real
// boundary.

import { type Box, clipLine, clipRing } from '../../../shared/geo/clip-box.ts';
import type { CellBuilder, CourseUse, Position } from '../../../shared/s57/write/cell-builder.ts';
import { at } from '../terrain/sea-bed.ts';
import type { DemoCell } from './cells.ts';
import { boxOf } from './cells.ts';
import { numberOf } from './identity.ts';
import type { Place, Thing } from './thing.ts';

const UNITS_PER_DEGREE = 10_000_000;
/** Classes that are hidden at small scales, with the scale, by usage band. */
const MINOR = new Set([
  'SBDARE',
  'BUISGL',
  'BERTHS',
  'FNCLNE',
  'ROADWY',
  'MORFAC',
  'SMCFAC',
  'VEGATN',
  'TOPMAR',
]);
const MINOR_SCALES = { 1: 6_000_000, 2: 2_000_000, 3: 700_000, 4: 180_000, 5: 45_000 } as const;

/** Adds the part of an object in the cell; returns false if no part is inside. */
export function addThing(builder: CellBuilder, cell: DemoCell, thing: Thing): boolean {
  const [from, to] = thing.bands;
  if (cell.usageBand < from || cell.usageBand > to) return false;
  const box = boxInUnits(cell);
  const { acronym, shape } = thing;
  const number = numberOf(thing.name);
  const values = MINOR.has(acronym)
    ? { ...thing.attributes, SCAMIN: MINOR_SCALES[cell.usageBand] }
    : thing.attributes;
  switch (shape.kind) {
    case 'point': {
      const position = at(...shape.at);
      if (!isInside(position, box)) return false;
      builder.point(number, acronym, position, values);
      return true;
    }
    case 'line': {
      const paths = clipLine(flatOf(shape.path), box).map(positionsOf);
      const uses = paths
        .filter((path) => path.length > 1)
        .map((positions) => ({ course: { positions } }));
      if (uses.length > 0) builder.line(number, acronym, uses, values);
      return uses.length > 0;
    }
    case 'area': {
      const ring = clockwise(positionsOf(clipRing(flatOf(shape.ring), box)));
      if (ring.length < 3) return false;
      builder.area(number, acronym, [usesOf(ring, box)], values);
      return true;
    }
  }
}

function boxInUnits(cell: DemoCell): Box {
  const { south, west, north, east } = boxOf(cell);
  const toUnits = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE);
  return { left: toUnits(west), right: toUnits(east), top: toUnits(south), bottom: toUnits(north) };
}

/** Of two adjacent cells, one contains the objects on their common limit. */
const isInside = ([x, y]: Position, box: Box) =>
  x >= box.left && x < box.right && y >= box.top && y < box.bottom;

const flatOf = (path: readonly Place[]): number[] => path.flatMap((place) => [...at(...place)]);

/** Integer positions without consecutive duplicates. */
function positionsOf(flat: readonly number[]): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const position = [Math.round(flat[i]!), Math.round(flat[i + 1]!)] as const;
    const last = positions.at(-1);
    if (last?.[0] !== position[0] || last[1] !== position[1]) positions.push(position);
  }
  return positions;
}

/** Exterior rings run clockwise (S-57 Part 3, clause 4.7.3.1). */
function clockwise(ring: Position[]): Position[] {
  const twiceArea = ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return twiceArea > 0 ? ring.toReversed() : ring;
}

/** A ring as courses, split where it meets and leaves the limit. */
function usesOf(ring: readonly Position[], box: Box): CourseUse[] {
  const isAtLimit = (i: number) => {
    const [x, y] = ring[i % ring.length]!;
    const [nextX, nextY] = ring[(i + 1) % ring.length]!;
    const onSide = (a: number, b: number, sides: readonly number[]) => a === b && sides.includes(a);
    return onSide(x, nextX, [box.left, box.right]) || onSide(y, nextY, [box.top, box.bottom]);
  };
  const changes = ring
    .map((_, i) => i)
    .filter((i) => isAtLimit(i) !== isAtLimit(i + ring.length - 1));
  if (changes.length === 0) {
    return [{ course: { positions: [...ring, ring[0]!] }, atLimit: isAtLimit(0) }];
  }
  return changes.map((from, k) => {
    const next = changes[k + 1] ?? changes[0]! + ring.length;
    const positions = Array.from(
      { length: next - from + 1 },
      (_, i) => ring[(from + i) % ring.length]!,
    );
    return { course: { positions }, atLimit: isAtLimit(from) };
  });
}
