// Clips polygons to boxes and keeps them valid: separate parts become several polygons, and a hole
// that reaches the border becomes part of the outer ring. Clipping ring by ring (clip-polygon.ts)
// covers the same area, but leaves parts connected along the border.

import { type Box, boundsOf, boxesMeet, type Flat, pushCrossing } from './clip-box.ts';
import { clipPolygon } from './clip-polygon.ts';
import { doubleArea, groupRings, isRingWithin, oriented } from './ring.ts';

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
    (isStrictlyInside(bounds, box) ? whole : across).push(oriented(ring, i === 0));
  }
  if (across.length === 0) return [whole];
  for (const side of sidesOf(box)) {
    const cut = cutAt(across, side);
    if (cut === undefined) return bridged(polygon, box);
    across = cut;
  }
  const rings = [...across, ...whole];
  return isNested(across, rings) ? groupRings(rings) : bridged(polygon, box);
}

/** Clips ring by ring, because rings that cross themselves or each other cannot be joined. */
function bridged(polygon: readonly Flat[], box: Box): Flat[][] {
  const rings = clipPolygon(polygon, box);
  return rings.length === 0 ? [] : [rings];
}

/** Whether each hole is in an outer ring. A loop of a ring that crosses itself is in none. */
const isNested = (cut: readonly Flat[], rings: readonly Flat[]): boolean =>
  cut.every(
    (hole) =>
      doubleArea(hole) >= 0 ||
      rings.some((outer) => doubleArea(outer) > 0 && isRingWithin(hole, outer)),
  );

const isStrictlyInside = (inner: Box, outer: Box): boolean =>
  inner.left > outer.left &&
  inner.right < outer.right &&
  inner.top > outer.top &&
  inner.bottom < outer.bottom;

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
    first.isUsed = true;
    const ring = first.path;
    for (let run = first.next!; !run.isUsed; run = run.next!) {
      run.isUsed = true;
      for (const value of run.path) ring.push(value);
    }
    kept.push(withoutRepeats(ring));
  }
  return kept.filter((ring) => ring.length >= 6);
}

/** Rings with an edge along the border are across it too: the edge can be one of the polygon's. */
function whereIs(ring: Flat, { axis, limit, sign }: Side): 'inside' | 'outside' | 'across' {
  let hasInside = false;
  let hasOutside = false;
  let before = sign * (ring[ring.length - 2 + axis]! - limit);
  for (let i = axis; i < ring.length; i += 2) {
    const depth = sign * (ring[i]! - limit);
    if (depth > 0) hasInside = true;
    else if (depth < 0 || before === 0) hasOutside = true;
    if (hasInside && hasOutside) return 'across';
    before = depth;
  }
  return hasInside ? 'inside' : 'outside';
}

const isIn = (ring: Flat, i: number, { axis, limit, sign }: Side): boolean =>
  sign * (ring[i + axis]! - limit) > 0;

/** Points on the border count as outside, so that only the ends of a run are on it. */
function addRuns(ring: Flat, side: Side, runs: Run[]): void {
  const { axis, limit, sign } = side;
  const n = ring.length;
  let start = 0;
  while (isIn(ring, start, side) || !isIn(ring, (start + 2) % n, side)) start += 2;
  let ax = ring[start]!;
  let ay = ring[start + 1]!;
  let path: Flat = [];
  for (let i = start + 2; i <= start + n; i += 2) {
    const b = i < n ? i : i - n;
    const bx = ring[b]!;
    const by = ring[b + 1]!;
    const isInside = sign * ((axis === 0 ? bx : by) - limit) > 0;
    if (isInside !== path.length > 0) pushCrossing(path, ax, ay, bx, by, axis, limit);
    if (isInside) path.push(bx, by);
    else if (path.length > 0) {
      runs.push({ path, next: undefined, isUsed: false });
      path = [];
    }
    ax = bx;
    ay = by;
  }
}

/** Connect the end of each run with the next start along the side. */
function joinRuns(runs: readonly Run[], { axis, along }: Side): boolean {
  if (runs.length === 1) {
    runs[0]!.next = runs[0];
    return true;
  }
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
