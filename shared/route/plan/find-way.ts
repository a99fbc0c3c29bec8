// The way between two safe points: straight if that is clear, or else searched for with as much
// detail as it takes, and pulled tight.

import type { Sea } from '../sea.ts';
import type { Charges } from './charges.ts';
import { detailFor, FINEST_REACH_METERS, FULL_DETAIL } from './detail.ts';
import { Guide } from './guide.ts';
import { type Division, Leaves } from './leaves.ts';
import { greatCircleMeters, metersPerCell, type Point } from './plane.ts';
import { Search } from './search.ts';
import { type Asking, settle } from './settle.ts';
import { Sight } from './sight.ts';
import { Smoother } from './smooth.ts';
import type { Water } from './water.ts';

/** What a whole trip may spend. */
export interface Budget {
  expanded: number;
  readonly mostExpanded: number;
}

export type Way =
  | { readonly line: readonly Point[] }
  /** `enclosed`: the end that cannot be left, if it is one. */
  | { readonly none: 'no-path' | 'limit'; readonly enclosed: 'from' | 'to' | undefined };

/** Leaves that are searched by the great circle alone, before a guide is worth its making. */
const STRAIGHT_EXPANDED = 300;
/** Leaves that are searched from one end before the other end is tried. */
const FIRST_EXPANDED = 6000;
/** An end that is shut in is found from that end within this. */
const POCKET_EXPANDED = 3000;
/** Leaves are no larger than this part of the trip. */
const LARGEST_PART = 24;

export function* findWay(
  sea: Sea,
  water: Water,
  charges: Charges,
  from: Point,
  to: Point,
  budget: Budget,
): Asking<Way> {
  const meters = greatCircleMeters(from, to);
  let way: Way = { none: 'no-path', enclosed: undefined };
  for (const reach of [FINEST_REACH_METERS, 8 * FINEST_REACH_METERS, Number.POSITIVE_INFINITY]) {
    const detail = detailFor(from, to, meters, reach);
    const sight = new Sight(water, detail);
    const smoother = new Smoother(sight, charges);
    if (yield* settle(sea, () => smoother.isPlain(from, to))) {
      return { line: smoother.unroll([from, to]) };
    }
    way = yield* searched(sea, sight, charges, from, to, budget);
    if ('line' in way) {
      const { line } = way;
      return { line: yield* settle(sea, () => smoother.smooth(line)) };
    }
    if (detail === FULL_DETAIL || way.none === 'limit') return way;
  }
  return way;
}

/** Whether there is any way at all, by the search alone. */
export function* isReachable(
  sea: Sea,
  water: Water,
  charges: Charges,
  from: Point,
  to: Point,
  budget: Budget,
): Asking<boolean> {
  const reach = FINEST_REACH_METERS;
  const detail = detailFor(from, to, greatCircleMeters(from, to), reach);
  return 'line' in (yield* searched(sea, new Sight(water, detail), charges, from, to, budget));
}

function* searched(
  sea: Sea,
  sight: Sight,
  charges: Charges,
  from: Point,
  to: Point,
  budget: Budget,
): Asking<Way> {
  const way = yield* searchedBy('quick', sea, sight, charges, from, to, budget);
  const isTight = sight.water.needs.lateralMeters > 0;
  if ('line' in way || way.none === 'limit' || !isTight) return way;
  return yield* searchedBy('thorough', sea, sight, charges, from, to, budget);
}

function* searchedBy(
  division: Division,
  sea: Sea,
  sight: Sight,
  charges: Charges,
  from: Point,
  to: Point,
  budget: Budget,
): Asking<Way> {
  const cells = greatCircleMeters(from, to) / metersPerCell((from.y + to.y) / 2);
  const largest = Math.max(0, Math.floor(Math.log2(Math.max(1, cells / LARGEST_PART))));
  const leaves = new Leaves(sight, charges, largest, division);
  const left = () => budget.mostExpanded - budget.expanded;
  const straight = new Search(sight, charges, leaves, from, to);
  const first = yield* settle(sea, () => straight.run(Math.min(left(), STRAIGHT_EXPANDED)));
  budget.expanded += straight.expanded;
  if (first === 'found') return { line: straight.path() };
  const enclosed = () => shutEnd(sea, sight, charges, leaves, from, to);
  if (first === 'none') return { none: 'no-path', enclosed: yield* enclosed() };
  const guide = yield* settle(sea, () => new Guide(sight.water, from, to));
  const forward = new Search(sight, charges, leaves, from, to, guide);
  let end = yield* settle(sea, () => forward.run(Math.min(left(), FIRST_EXPANDED)));
  if (end === 'limit' && left() > FIRST_EXPANDED) {
    // The goal may be shut in: from there it shows at once.
    const backward = new Search(sight, charges, leaves, to, from);
    const back = yield* settle(sea, () => backward.run(Math.min(left(), POCKET_EXPANDED)));
    budget.expanded += backward.expanded;
    if (back === 'none') {
      budget.expanded += forward.expanded;
      return { none: 'no-path', enclosed: 'to' };
    }
    end = yield* settle(sea, () => forward.run(left()));
  }
  budget.expanded += forward.expanded;
  if (end === 'found') return { line: forward.path() };
  if (end === 'limit') return { none: 'limit', enclosed: undefined };
  return { none: 'no-path', enclosed: yield* enclosed() };
}

/** The end whose water is soon at an end; the smaller one where both are. */
function* shutEnd(
  sea: Sea,
  sight: Sight,
  charges: Charges,
  leaves: Leaves,
  from: Point,
  to: Point,
): Asking<'from' | 'to' | undefined> {
  const forward = new Search(sight, charges, leaves, from, to);
  const there = yield* settle(sea, () => forward.run(POCKET_EXPANDED));
  const backward = new Search(sight, charges, leaves, to, from);
  const back = yield* settle(sea, () => backward.run(POCKET_EXPANDED));
  if (there !== 'none') return back === 'none' ? 'to' : undefined;
  return back === 'none' && backward.expanded < forward.expanded ? 'to' : 'from';
}
