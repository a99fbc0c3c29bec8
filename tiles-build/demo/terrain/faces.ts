// The faces of a planar arrangement of lines.

import { doubleArea, isPointInRing } from '../../../shared/geo/ring.ts';
import type { Position } from '../../../shared/s57/write/cell-builder.ts';

import type { Stretch } from './split-lines.ts';

/** The ground enclosed by lines. */
export interface Face {
  /** The outer ring counterclockwise, then clockwise rings around enclosed holes. */
  readonly rings: readonly (readonly Position[])[];
  /** Number of levels below the face, if one of its sides is a contour line. */
  readonly band: number | undefined;
  /** A position just inside the face. */
  readonly inside: Position;
}

interface Half {
  readonly from: Position;
  readonly to: Position;
  readonly angle: number;
  /** Number of levels below the ground on its left. */
  readonly band: number | undefined;
  readonly component: number;
  readonly twin: number;
  next: number;
}

interface Ring {
  readonly halves: readonly Half[];
  readonly positions: readonly Position[];
  readonly flat: readonly number[];
  /** Twice the enclosed area; positive if counterclockwise. */
  readonly area: number;
}

/** Distance in 1e-7 degrees from a side to the position that represents a face. */
const INSIDE = 3;

/** The faces of line segments that touch only at their ends, without the unbounded outer face. */
export function facesBetween(stretches: readonly Stretch[]): Face[] {
  const rings = tracedRings(joinedHalves(stretches));
  const outer = rings.filter(({ area }) => area > 0);
  const inner = new Map<Ring, Ring[]>(outer.map((ring) => [ring, []]));
  const bySize = outer.toSorted((a, b) => a.area - b.area);
  for (const ring of rings) {
    if (ring.area > 0) continue;
    const around = bySize.find(
      ({ area, halves, flat }) =>
        area > -ring.area &&
        halves[0]!.component !== ring.halves[0]!.component &&
        isPointInRing(...ring.positions[0]!, flat),
    );
    if (around !== undefined) inner.get(around)!.push(ring);
  }
  return outer.map((ring) => {
    const all = [ring, ...inner.get(ring)!];
    return {
      rings: all.map(({ positions }) => positions),
      band: bandOf(all),
      inside: insideOf(ring),
    };
  });
}

/** Both directions of each segment, each with its successor around the face on its left. */
function joinedHalves(stretches: readonly Stretch[]): Half[] {
  const places = new Map<string, number>();
  const leaving: number[][] = [];
  const parent: number[] = [];
  const rootOf = (place: number): number => {
    let root = place;
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!;
    return root;
  };
  const placeOf = (position: Position) => {
    const key = `${position}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, leaving.length);
    parent.push(leaving.length);
    return leaving.push([]) - 1;
  };
  const ends = stretches.map(({ from, to }) => [placeOf(from), placeOf(to)] as const);
  for (const [a, b] of ends) parent[rootOf(a)] = rootOf(b);
  const halves = stretches.flatMap(({ from, to, level }, i): Half[] => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const component = rootOf(ends[i]![0]);
    leaving[ends[i]![0]]!.push(2 * i);
    leaving[ends[i]![1]]!.push(2 * i + 1);
    const [left, right] = level === undefined ? [] : [level + 1, level];
    return [
      { from, to, angle: Math.atan2(dy, dx), band: left, component, twin: 2 * i + 1, next: -1 },
      {
        from: to,
        to: from,
        angle: Math.atan2(-dy, -dx),
        band: right,
        component,
        twin: 2 * i,
        next: -1,
      },
    ];
  });
  for (const around of leaving) {
    around.sort((a, b) => halves[a]!.angle - halves[b]!.angle);
    around.forEach((half, i) => {
      // The successor of a half-edge is the next outgoing one clockwise: the face stays on the
      // left.
      const clockwise = around[(i + around.length - 1) % around.length]!;
      halves[halves[half]!.twin]!.next = clockwise;
    });
  }
  return halves;
}

function tracedRings(halves: readonly Half[]): Ring[] {
  const visited = new Uint8Array(halves.length);
  const rings: Ring[] = [];
  for (let first = 0; first < halves.length; first++) {
    if (visited[first] === 1) continue;
    const ring: Half[] = [];
    for (let i = first; visited[i] === 0; i = halves[i]!.next) {
      visited[i] = 1;
      ring.push(halves[i]!);
    }
    const positions = ring.map(({ from }) => from);
    const flat = positions.flat();
    rings.push({ halves: ring, positions, flat, area: doubleArea(flat) });
  }
  return rings;
}

/** The value of the majority of the sides, by length. */
function bandOf(rings: readonly Ring[]): number | undefined {
  const lengths = new Map<number, number>();
  for (const { band, from, to } of rings.flatMap(({ halves }) => halves)) {
    if (band === undefined) continue;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    lengths.set(band, (lengths.get(band) ?? 0) + length);
  }
  return [...lengths].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

function insideOf({ halves }: Ring): Position {
  const lengthOf = ({ from, to }: Half) => Math.hypot(to[0] - from[0], to[1] - from[1]);
  const longest = halves.reduce((best, half) => (lengthOf(half) > lengthOf(best) ? half : best));
  const { from, to } = longest;
  const length = lengthOf(longest);
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  return [(from[0] + to[0]) / 2 - INSIDE * dy, (from[1] + to[1]) / 2 + INSIDE * dx];
}
