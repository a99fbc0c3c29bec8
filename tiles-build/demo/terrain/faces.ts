// The faces between lines: what a plane falls into where lines cut it.

import { doubleArea, isPointInRing } from '../../../shared/geo/ring.ts';
import type { Position } from '../../../shared/s57/write/cell-builder.ts';

import type { Stretch } from './split-lines.ts';

/** Ground between lines. */
export interface Face {
  /** The outer ring counterclockwise, then clockwise ones around what lies within. */
  readonly rings: readonly (readonly Position[])[];
  /** How many levels lie below it, where one of its sides is a line of a level. */
  readonly band: number | undefined;
  /** A place just inside it. */
  readonly inside: Position;
}

interface Half {
  readonly from: Position;
  readonly to: Position;
  readonly angle: number;
  /** How many levels lie below what is on its left. */
  readonly band: number | undefined;
  readonly component: number;
  readonly twin: number;
  next: number;
}

interface Ring {
  readonly halves: readonly Half[];
  readonly positions: readonly Position[];
  readonly flat: readonly number[];
  /** Twice what it encloses; positive where it runs counterclockwise. */
  readonly area: number;
}

/** 1e-7 degrees from a side to the place that stands for a face. */
const INSIDE = 3;

/** The faces of stretches that touch at their ends only; the ground outside all of them is none. */
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

/** Both directions of each stretch, each with what follows it around the face on its left. */
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
      // Who comes in along a half goes out along the next one clockwise: the face stays on the left.
      const clockwise = around[(i + around.length - 1) % around.length]!;
      halves[halves[half]!.twin]!.next = clockwise;
    });
  }
  return halves;
}

function tracedRings(halves: readonly Half[]): Ring[] {
  const done = new Uint8Array(halves.length);
  const rings: Ring[] = [];
  for (let first = 0; first < halves.length; first++) {
    if (done[first] === 1) continue;
    const ring: Half[] = [];
    for (let i = first; done[i] === 0; i = halves[i]!.next) {
      done[i] = 1;
      ring.push(halves[i]!);
    }
    const positions = ring.map(({ from }) => from);
    const flat = positions.flat();
    rings.push({ halves: ring, positions, flat, area: doubleArea(flat) });
  }
  return rings;
}

/** What most of the sides say, by length. */
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
