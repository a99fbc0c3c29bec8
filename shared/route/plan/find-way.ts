// The way between two safe points: straight if that is clear, or else searched for with as much
// detail as it takes, and pulled tight.

import type { Sea } from '../sea.ts';
import { Basins } from './basins.ts';
import type { CostModel } from './cost-model.ts';
import { detailFor, FINEST_REACH_METERS, FULL_DETAIL } from './detail.ts';
import { Heuristic } from './heuristic.ts';
import { type Division, Leaves } from './leaves.ts';
import { LineOfSight } from './line-of-sight.ts';
import { greatCircleMeters, metersPerCell, type Point } from './plane.ts';
import { Search, type SearchEnd } from './search.ts';
import { type Asking, settle } from './settle.ts';
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

/** Leaves that are searched by the great circle alone, before a heuristic is worth its making. */
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
  costModel: CostModel,
  from: Point,
  to: Point,
  budget: Budget,
): Asking<Way> {
  const meters = greatCircleMeters(from, to);
  let way: Way = { none: 'no-path', enclosed: undefined };
  const apart = areApart(sea, water, from, to);
  for (const reach of [FINEST_REACH_METERS, 8 * FINEST_REACH_METERS, Number.POSITIVE_INFINITY]) {
    const detail = detailFor(from, to, meters, reach);
    const lineOfSight = new LineOfSight(water, detail);
    const smoother = new Smoother(lineOfSight, costModel);
    if (yield* settle(sea, () => smoother.isPlain(from, to))) {
      return { line: smoother.unroll([from, to]) };
    }
    way = yield* searched(sea, lineOfSight, costModel, from, to, budget, apart);
    if ('line' in way) {
      const { line } = way;
      return { line: yield* settle(sea, () => smoother.smooth(line)) };
    }
    if (detail === FULL_DETAIL || way.none === 'limit' || (yield* apart())) return way;
  }
  return way;
}

/** Whether there is any way at all, by the search alone. */
export function* isReachable(
  sea: Sea,
  water: Water,
  costModel: CostModel,
  from: Point,
  to: Point,
  budget: Budget,
): Asking<boolean> {
  const apart = areApart(sea, water, from, to);
  if (yield* apart()) return false;
  const reach = FINEST_REACH_METERS;
  const detail = detailFor(from, to, greatCircleMeters(from, to), reach);
  const lineOfSight = new LineOfSight(water, detail);
  return 'line' in (yield* searched(sea, lineOfSight, costModel, from, to, budget, apart));
}

/** Whether no water joins two places, found out when it is asked for the first time. */
type Apart = () => Asking<boolean>;

function areApart(sea: Sea, water: Water, from: Point, to: Point): Apart {
  let known: boolean | undefined;
  return function* () {
    if (known === undefined) {
      const basins = new Basins(water);
      known = (yield* settle(sea, () => basins.joined(from, to))) === 'apart';
    }
    return known;
  };
}

function* searched(
  sea: Sea,
  lineOfSight: LineOfSight,
  costModel: CostModel,
  from: Point,
  to: Point,
  budget: Budget,
  apart: Apart,
): Asking<Way> {
  const way = yield* searchedBy('quick', sea, lineOfSight, costModel, from, to, budget, apart);
  const isTight = lineOfSight.water.needs.lateralMeters > 0;
  if ('line' in way || way.none === 'limit' || !isTight || (yield* apart())) return way;
  return yield* searchedBy('thorough', sea, lineOfSight, costModel, from, to, budget, apart);
}

function* searchedBy(
  division: Division,
  sea: Sea,
  lineOfSight: LineOfSight,
  costModel: CostModel,
  from: Point,
  to: Point,
  budget: Budget,
  apart: Apart,
): Asking<Way> {
  const cells = greatCircleMeters(from, to) / metersPerCell((from.y + to.y) / 2);
  const largest = Math.max(0, Math.floor(Math.log2(Math.max(1, cells / LARGEST_PART))));
  const leaves = new Leaves(lineOfSight, costModel, largest, division);
  const enclosed = () => shutEnd(sea, lineOfSight, costModel, leaves, from, to);
  const run = (search: Search, most: number) => settle(sea, () => spend(budget, search, most));
  const straight = new Search(lineOfSight, costModel, leaves, from, to);
  const first = yield* run(straight, STRAIGHT_EXPANDED);
  if (first === 'found') return { line: straight.path() };
  if (first === 'none') return { none: 'no-path', enclosed: yield* enclosed() };
  const heuristic = yield* settle(sea, () => new Heuristic(lineOfSight.water, from, to));
  const forward = new Search(lineOfSight, costModel, leaves, from, to, heuristic);
  // The goal may be shut in: from there it shows sooner.
  const backward = new Search(lineOfSight, costModel, leaves, to, from);
  for (let most = FIRST_EXPANDED; ; most *= 4) {
    const there = yield* run(forward, most);
    if (there === 'found') return { line: forward.path() };
    if (there === 'none') return { none: 'no-path', enclosed: yield* enclosed() };
    const back = yield* run(backward, most / 2);
    if (back === 'none') {
      const isPocket = backward.expanded < POCKET_EXPANDED;
      return { none: 'no-path', enclosed: isPocket ? 'to' : undefined };
    }
    if (back === 'found' && !costModel.haveDirection) return { line: backward.path().reverse() };
    if (yield* apart()) return { none: 'no-path', enclosed: yield* enclosed() };
    if (budget.expanded >= budget.mostExpanded) return { none: 'limit', enclosed: undefined };
  }
}

/** Runs a search on to so many leaves in all, within what is left for the trip. */
function spend(budget: Budget, search: Search, most: number): SearchEnd {
  const before = search.expanded;
  const left = budget.mostExpanded - budget.expanded;
  try {
    return search.run(Math.min(most, before + left));
  } finally {
    // Also where it stops for a square that is lacking.
    budget.expanded += search.expanded - before;
  }
}

/** The end whose water is soon at an end; the smaller one where both are. */
function* shutEnd(
  sea: Sea,
  lineOfSight: LineOfSight,
  costModel: CostModel,
  leaves: Leaves,
  from: Point,
  to: Point,
): Asking<'from' | 'to' | undefined> {
  const forward = new Search(lineOfSight, costModel, leaves, from, to);
  const there = yield* settle(sea, () => forward.run(POCKET_EXPANDED));
  const backward = new Search(lineOfSight, costModel, leaves, to, from);
  const back = yield* settle(sea, () => backward.run(POCKET_EXPANDED));
  if (there !== 'none') return back === 'none' ? 'to' : undefined;
  return back === 'none' && backward.expanded < forward.expanded ? 'to' : 'from';
}
