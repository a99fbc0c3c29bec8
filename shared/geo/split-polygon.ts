// Clips polygons to boxes and keeps them valid: separate parts become several polygons, and a hole
// that reaches the border becomes part of the outer ring. Clipping ring by ring (clip-polygon.ts)
// is faster and covers the same area, but leaves parts connected along the border, which is only
// suitable for fills.

import { type Box, boundsOf, boxesMeet, type Flat, isInside, pushCrossing } from './clip-box.ts';
import { clipPolygon } from './clip-polygon.ts';
import { groupRings, oriented } from './ring.ts';

/** One side of a box: which half plane is kept, and the direction along the limit. */
interface Side {
  readonly axis: 0 | 1;
  readonly limit: number;
  /** 1 keeps the part above the limit, −1 the part below. */
  readonly sign: 1 | -1;
  /** Direction along the limit with the polygon's inside towards the kept part. */
  readonly along: 1 | -1;
}

/** A part of a ring in the half plane, from entry to exit. */
interface Run {
  readonly path: Flat;
  next: Run | undefined;
  isUsed: boolean;
}

/**
 * Split a polygon at a box into valid polygons; empty if nothing is left. Rings can have any
 * winding. In the result, outer rings are positive and holes negative.
 */
export function splitPolygon(polygon: readonly Flat[], box: Box): Flat[][] {
  const whole: Flat[] = [];
  let across: Flat[] = [];
  for (const [i, ring] of polygon.entries()) {
    const bounds = boundsOf([ring]);
    if (!boxesMeet(bounds, box)) {
      if (i === 0) return [];
      continue;
    }
    (isInside(bounds, box) ? whole : across).push(oriented(ring, i === 0));
  }
  for (const side of sidesOf(box)) {
    const cut = cutAt(across, side);
    if (cut === undefined) {
      // Rings that cross themselves or each other have no order along the border, so clip ring by
      // ring.
      const bridged = clipPolygon(polygon, box);
      return bridged.length === 0 ? [] : [bridged];
    }
    across = cut;
  }
  return groupRings([...across, ...whole]);
}

const sidesOf = ({ left, right, top, bottom }: Box): readonly Side[] => [
  { axis: 0, limit: left, sign: 1, along: -1 },
  { axis: 0, limit: right, sign: -1, along: 1 },
  { axis: 1, limit: top, sign: 1, along: 1 },
  { axis: 1, limit: bottom, sign: -1, along: -1 },
];

/** `undefined` if the runs cannot be joined along the side. */
function cutAt(rings: readonly Flat[], side: Side): Flat[] | undefined {
  const kept: Flat[] = [];
  const runs: Run[] = [];
  for (const ring of rings) {
    const where = whereIs(ring, side);
    if (where === 'inside') kept.push(ring);
    else if (where === 'across') addRuns(ring, side, runs);
  }
  if (runs.length === 0) return kept;
  if (!joinRuns(runs, side)) return undefined;
  for (const first of runs) {
    if (first.isUsed) continue;
    const ring: Flat = [];
    for (let run: Run = first; !run.isUsed; run = run.next!) {
      run.isUsed = true;
      for (const value of run.path) ring.push(value);
    }
    kept.push(withoutRepeats(ring));
  }
  return kept.filter((ring) => ring.length >= 6);
}

function whereIs(ring: Flat, { axis, limit, sign }: Side): 'inside' | 'outside' | 'across' {
  let hasInside = false;
  let hasOutside = false;
  for (let i = axis; i < ring.length; i += 2) {
    const depth = sign * (ring[i]! - limit);
    if (depth > 0) hasInside = true;
    else if (depth < 0) hasOutside = true;
  }
  if (!hasInside) return 'outside';
  return hasOutside ? 'across' : 'inside';
}

/** Points on the border count as outside, so that only the ends of a run are on it. */
function addRuns(ring: Flat, { axis, limit, sign }: Side, runs: Run[]): void {
  const n = ring.length;
  const isIn = (i: number) => sign * (ring[(i % n) + axis]! - limit) > 0;
  let start = 0;
  while (isIn(start) || !isIn(start + 2)) start += 2;
  let path: Flat | undefined;
  for (let step = 0; step < n; step += 2) {
    const a = (start + step) % n;
    const b = (a + 2) % n;
    const [ax, ay, bx, by] = [ring[a]!, ring[a + 1]!, ring[b]!, ring[b + 1]!];
    if (isIn(a) !== isIn(b)) {
      path ??= [];
      pushCrossing(path, ax, ay, bx, by, axis, limit);
    }
    if (isIn(b)) path!.push(bx, by);
    else if (path !== undefined) {
      runs.push({ path, next: undefined, isUsed: false });
      path = undefined;
    }
  }
}

/** Connect the end of each run with the next start along the side. */
function joinRuns(runs: readonly Run[], { axis, along }: Side): boolean {
  const across = axis === 0 ? 1 : 0;
  const marks = runs.flatMap((run) => [
    { at: along * run.path[run.path.length - 2 + across]!, isEnd: true, run },
    { at: along * run.path[across]!, isEnd: false, run },
  ]);
  marks.sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd));
  const waiting: Run[] = [];
  for (const { isEnd, run } of marks) {
    if (isEnd) waiting.push(run);
    else {
      const before = waiting.shift();
      if (before === undefined) return false;
      before.next = run;
    }
    if (waiting.length > 2) return false;
  }
  return waiting.length === 0;
}

function withoutRepeats(ring: Flat): Flat {
  const out: Flat = [];
  for (let i = 0; i < ring.length; i += 2) {
    const n = out.length;
    if (n === 0 || out[n - 2] !== ring[i] || out[n - 1] !== ring[i + 1]) {
      out.push(ring[i]!, ring[i + 1]!);
    }
  }
  const n = out.length;
  if (n > 2 && out[0] === out[n - 2] && out[1] === out[n - 1]) out.length = n - 2;
  return out;
}
