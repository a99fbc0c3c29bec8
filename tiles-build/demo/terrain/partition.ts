// Joins pieces of ground into regions with courses between them: a planar partition, in which every
// boundary is one course with a region on either side.

import type {
  AttributeValues,
  Course,
  CourseUse,
  Position,
  Rings,
} from '../../../shared/s57/write/cell-builder.ts';

/** A connected area of ground of one kind. */
export interface Region {
  readonly label: string;
  readonly rings: Rings;
}

/** A boundary; the side outside of the partition has no label. */
export interface Boundary {
  readonly course: Course;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

export interface Partition {
  readonly regions: readonly Region[];
  readonly boundaries: readonly Boundary[];
  /** The outer limit as one ring. */
  readonly limit: readonly CourseUse[];
}

interface LabelledPiece {
  /** The outer ring counterclockwise, then holes clockwise. */
  readonly rings: readonly (readonly Position[])[];
  readonly label: string;
}

/** A directed side of a piece with a different region, or none, on its right. */
interface Side {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
}

const OUTSIDE = -1;

/**
 * Joins pieces that tile a simply connected area.
 * @param valuesOf attributes of a course, such as the quality of its position
 */
export function partition(
  pieces: readonly LabelledPiece[],
  valuesOf: (positions: readonly Position[]) => AttributeValues = () => ({}),
): Partition {
  const { vertices, sides, regionOf, labels } = boundarySides(pieces);
  const courses = traceCourses(sides, vertices, valuesOf);
  const usesOf = new Map<number, DirectedUse[]>();
  for (const traced of courses) {
    for (const reversed of [false, true]) {
      const region = reversed ? traced.right : traced.left;
      const use = {
        traced,
        reversed,
        atLimit: traced.left === OUTSIDE || traced.right === OUTSIDE,
      };
      usesOf.set(region, [...(usesOf.get(region) ?? []), use]);
    }
  }
  const ringsAround = (region: number) => traceRings(usesOf.get(region) ?? [], vertices);
  const regions = [...new Set(regionOf)].map((region): Region => {
    const rings = ringsAround(region);
    // The largest ring is the exterior, which is clockwise in S-57 (Part 3, clause 4.7.3.1).
    rings.sort((a, b) => Math.abs(areaOf(b, vertices)) - Math.abs(areaOf(a, vertices)));
    return { label: labels.get(region)!, rings: rings.map((ring) => reverse(ring)) };
  });
  return {
    regions,
    boundaries: courses.map(({ course, left, right }) => ({
      course,
      left: labels.get(left),
      right: labels.get(right),
    })),
    // With the outside on the left, the limit is already clockwise.
    limit: ringsAround(OUTSIDE)[0]!.map(({ traced, reversed }) => ({
      course: traced.course,
      reversed,
      atLimit: true,
    })),
  };
}

function boundarySides(pieces: readonly LabelledPiece[]) {
  const vertices: Position[] = [];
  const known = new Map<string, number>();
  const vertexOf = (position: Position): number => {
    const key = `${position[0]} ${position[1]}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, vertices.length);
    return vertices.push(position) - 1;
  };
  const rings = pieces.flatMap(({ rings: around }, piece) =>
    around.map((ring) => ({ piece, path: ring.map(vertexOf) })),
  );
  const keyOf = (from: number, to: number) => from * 0x4000000 + to;
  const pieceAt = new Map<number, number>();
  for (const { piece, path } of rings) {
    path.forEach((from, i) => {
      pieceAt.set(keyOf(from, path[(i + 1) % path.length]!), piece);
    });
  }

  const parent = pieces.map((_, piece) => piece);
  const rootOf = (piece: number): number => {
    let root = piece;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  const everySide = (visit: (from: number, to: number, piece: number, other: number) => void) => {
    for (const { piece, path } of rings) {
      path.forEach((from, i) => {
        const to = path[(i + 1) % path.length]!;
        visit(from, to, piece, pieceAt.get(keyOf(to, from)) ?? OUTSIDE);
      });
    }
  };
  everySide((_from, _to, piece, other) => {
    if (other !== OUTSIDE && pieces[piece]!.label === pieces[other]!.label) {
      parent[rootOf(piece)] = rootOf(other);
    }
  });
  const sides: Side[] = [];
  everySide((from, to, piece, other) => {
    const [left, right] = [rootOf(piece), other === OUTSIDE ? OUTSIDE : rootOf(other)];
    // One of the two directions of a side is enough.
    if (left !== right && (right === OUTSIDE || left > right))
      sides.push({ from, to, left, right });
  });
  const regionOf = pieces.map((_, piece) => rootOf(piece));
  const labels = new Map(regionOf.map((root) => [root, pieces[root]!.label]));
  return { vertices, sides, regionOf, labels };
}

interface TracedCourse {
  readonly course: Course;
  readonly path: readonly number[];
  readonly left: number;
  readonly right: number;
}

interface DirectedUse {
  readonly traced: TracedCourse;
  readonly reversed: boolean;
  readonly atLimit: boolean;
}

/** Sides joined from one node, where three or more courses meet, to the next. */
function traceCourses(
  sides: readonly Side[],
  vertices: readonly Position[],
  valuesOf: (positions: readonly Position[]) => AttributeValues,
): TracedCourse[] {
  const outOf = new Map<number, Side[]>();
  const degree = new Map<number, number>();
  for (const side of sides) {
    outOf.set(side.from, [...(outOf.get(side.from) ?? []), side]);
    for (const vertex of [side.from, side.to]) degree.set(vertex, (degree.get(vertex) ?? 0) + 1);
  }
  const isNode = (vertex: number) => degree.get(vertex) !== 2;
  const visited = new Set<Side>();
  const courses: TracedCourse[] = [];
  const trace = (first: Side) => {
    const path = [first.from, first.to];
    visited.add(first);
    for (let at = first.to; at !== first.from && !isNode(at); at = path.at(-1)!) {
      const next = outOf.get(at)?.find((side) => !visited.has(side));
      // The order of the regions may be reversed where three pieces meet without a node: stop
      // there.
      if (next === undefined || next.left !== first.left || next.right !== first.right) break;
      visited.add(next);
      path.push(next.to);
    }
    const positions = withoutMiddles(path.map((vertex) => vertices[vertex]!));
    const course = { positions, attributes: valuesOf(positions) };
    courses.push({ course, path, left: first.left, right: first.right });
  };
  for (const side of sides) if (isNode(side.from)) trace(side);
  for (const side of sides) if (!visited.has(side)) trace(side);
  return courses;
}

/** Positions without those exactly on the line between their neighbours. */
function withoutMiddles(positions: readonly Position[]): Position[] {
  return positions.filter(([x, y], i) => {
    const [before, after] = [positions[i - 1], positions[i + 1]];
    if (before === undefined || after === undefined) return true;
    return (x - before[0]) * (after[1] - y) !== (y - before[1]) * (after[0] - x);
  });
}

/** Joins uses of courses into simple rings, with the region always on the left. */
function traceRings(uses: readonly DirectedUse[], vertices: readonly Position[]): DirectedUse[][] {
  const outOf = new Map<number, DirectedUse[]>();
  for (const use of uses) {
    const from = startOf(use);
    outOf.set(from, [...(outOf.get(from) ?? []), use]);
  }
  const left = new Set(uses);
  const rings: DirectedUse[][] = [];
  for (const first of uses) {
    if (!left.has(first)) continue;
    const ring = [first];
    left.delete(first);
    while (endOf(ring.at(-1)!) !== startOf(first)) {
      const last = ring.at(-1)!;
      const choices = (outOf.get(endOf(last)) ?? []).filter((use) => left.has(use));
      const next = choices.reduce((best, use) =>
        clockwiseTurn(last, use, vertices) < clockwiseTurn(last, best, vertices) ? use : best,
      );
      left.delete(next);
      ring.push(next);
    }
    rings.push(ring);
  }
  return rings;
}

const pathOf = ({ traced, reversed }: DirectedUse) =>
  reversed ? traced.path.toReversed() : traced.path;
const startOf = ({ traced, reversed }: DirectedUse) => traced.path.at(reversed ? -1 : 0)!;
const endOf = ({ traced, reversed }: DirectedUse) => traced.path.at(reversed ? 0 : -1)!;

/**
 * Clockwise angle from the reversed incoming to the outgoing direction: the smallest stays at the
 * same region.
 */
function clockwiseTurn(
  last: DirectedUse,
  next: DirectedUse,
  vertices: readonly Position[],
): number {
  const [back, on] = [pathOf(last).at(-2)!, pathOf(next)[1]!];
  const at = vertices[endOf(last)]!;
  const angleTo = (vertex: number) => {
    const [x, y] = vertices[vertex]!;
    return Math.atan2(y - at[1], x - at[0]);
  };
  const turn = angleTo(back) - angleTo(on);
  return turn <= 0 ? turn + 2 * Math.PI : turn;
}

function areaOf(ring: readonly DirectedUse[], vertices: readonly Position[]): number {
  const path = ring.flatMap((use) => pathOf(use).slice(1)).map((vertex) => vertices[vertex]!);
  return path.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = path[(i + 1) % path.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
}

function reverse(ring: readonly DirectedUse[]): CourseUse[] {
  return ring.toReversed().map(({ traced, reversed, atLimit }) => ({
    course: traced.course,
    reversed: !reversed,
    atLimit,
  }));
}
