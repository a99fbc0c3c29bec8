// Splits lines wherever they meet, so that the pieces touch only at their ends.

import type { Position } from '../../../shared/s57/write/cell-builder.ts';

/** A line between two areas of ground. */
export interface PartingLine {
  readonly positions: readonly Position[];
  /** For contour lines with higher ground on their left: the number of the level. */
  readonly level?: number;
}

/** A straight segment of a line. */
export interface Stretch {
  readonly from: Position;
  readonly to: Position;
  readonly level: number | undefined;
}

interface Straight extends Stretch {
  readonly cuts: Position[];
}

/** Average number of segments per bucket of the index. */
const BUCKET = 4;

/** Splits lines at every crossing and touch; positions stay integers. */
export function splitLines(lines: readonly PartingLine[]): Stretch[] {
  const straights: Straight[] = lines.flatMap(({ positions, level }) =>
    positions.slice(1).map((to, i) => ({ from: positions[i]!, to, level, cuts: [] })),
  );
  for (const [a, b] of neighbours(straights)) cutAtMeeting(a, b);
  const seen = new Set<string>();
  return straights.flatMap(parts).filter(({ from, to }) => {
    // Of two coinciding lines, one is enough.
    const keys = [`${from} ${to}`, `${to} ${from}`];
    if (from[0] === to[0] && from[1] === to[1]) return false;
    if (seen.has(keys[0]!)) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function parts({ from, to, level, cuts }: Straight): Stretch[] {
  if (cuts.length === 0) return [{ from, to, level }];
  const along = ([x, y]: Position) => (x - from[0]) ** 2 + (y - from[1]) ** 2;
  const stops = [from, ...cuts.sort((a, b) => along(a) - along(b)), to];
  return stops.slice(1).map((stop, i) => ({ from: stops[i]!, to: stop, level }));
}

/** Pairs of segments whose boxes overlap, each pair once. */
function* neighbours(straights: readonly Straight[]): Generator<[Straight, Straight]> {
  const boxes = straights.map(({ from: [ax, ay], to: [bx, by] }) => {
    return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)] as const;
  });
  const total = boxes.reduce((sum, [w, s, e, n]) => sum + (e - w) + (n - s), 0);
  const side = Math.max(1, (BUCKET * total) / Math.max(1, boxes.length));
  const bucketOf = (value: number) => Math.floor(value / side);
  const buckets = new Map<string, number[]>();
  for (const [i, [west, south, east, north]] of boxes.entries()) {
    for (let column = bucketOf(west); column <= bucketOf(east); column++) {
      for (let row = bucketOf(south); row <= bucketOf(north); row++) {
        const key = `${column} ${row}`;
        const bucket = buckets.get(key) ?? [];
        if (bucket.length === 0) buckets.set(key, bucket);
        for (const j of bucket) {
          const [w, s, e, n] = boxes[j]!;
          if (w > east || e < west || s > north || n < south) continue;
          // A pair may occur in several buckets: only the one at which the overlap begins counts.
          if (bucketOf(Math.max(w, west)) !== column || bucketOf(Math.max(s, south)) !== row)
            continue;
          yield [straights[j]!, straights[i]!];
        }
        bucket.push(i);
      }
    }
  }
}

function cutAtMeeting(a: Straight, b: Straight): void {
  const fromA = sideOf(b, a.from);
  const toA = sideOf(b, a.to);
  const fromB = sideOf(a, b.from);
  const toB = sideOf(a, b.to);
  if (fromA === 0) cutAt(b, a.from);
  if (toA === 0) cutAt(b, a.to);
  if (fromB === 0) cutAt(a, b.from);
  if (toB === 0) cutAt(a, b.to);
  if (fromA * toA >= 0 || fromB * toB >= 0) return;
  const t = fromA / (fromA - toA);
  const [[ax, ay], [bx, by]] = [a.from, a.to];
  const meeting: Position = [Math.round(ax + (bx - ax) * t), Math.round(ay + (by - ay) * t)];
  cutAt(a, meeting);
  cutAt(b, meeting);
}

/** Positive if a position is left of a segment, 0 on its line. */
function sideOf({ from, to }: Stretch, [x, y]: Position): number {
  return (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
}

/** Splits a segment at a position on its line, if the position is within it. */
function cutAt({ from, to, cuts }: Straight, cut: Position): void {
  const isEnd = ([x, y]: Position) => x === cut[0] && y === cut[1];
  const ahead = (cut[0] - from[0]) * (to[0] - from[0]) + (cut[1] - from[1]) * (to[1] - from[1]);
  const back = (cut[0] - to[0]) * (from[0] - to[0]) + (cut[1] - to[1]) * (from[1] - to[1]);
  if (ahead <= 0 || back <= 0 || isEnd(from) || isEnd(to)) return;
  cuts.push(cut);
}
