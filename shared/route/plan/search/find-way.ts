// The path between two safe points: the great circle if it is clear and has no extra cost, otherwise
// a search with the necessary detail, followed by smoothing.

import type { Sea } from '../../sea.ts';
import type { Trip } from '../../trip.ts';
import { boundsOf } from '../geometry/bounds.ts';
import { greatCircleMeters, metersPerCell, type Point } from '../geometry/plane.ts';
import { detailFor, FINEST_REACH_METERS, FULL_DETAIL } from '../read/detail.ts';
import { needsOf, outsideMarks } from '../read/needs.ts';
import { type Asking, NO_SQUARES, settle } from '../read/settle.ts';
import { Water } from '../read/water.ts';
import { LineOfSight } from '../sight/line-of-sight.ts';
import { Basins } from './basins.ts';
import { CostModel } from './cost-model.ts';
import { Heuristic } from './heuristic.ts';
import { type Division, Leaves } from './leaves.ts';
import { Search, type SearchEnd } from './search.ts';
import { Smoother } from './smooth.ts';

/** Number of leaves that a trip has expanded, and its limit. */
interface Budget {
  expanded: number;
  readonly mostExpanded: number;
}

/** Shared by all searches of a trip. */
export interface SearchContext {
  readonly sea: Sea;
  readonly water: Water;
  readonly costModel: CostModel;
  readonly budget: Budget;
}

/** @param mostExpanded maximum number of leaves for all searches together */
export function searchContext(trip: Trip, sea: Sea, mostExpanded: number): SearchContext {
  const water = new Water(sea, needsOf(trip), boundsOf(trip));
  const costModel = new CostModel(trip, water);
  return { sea, water, costModel, budget: { expanded: 0, mostExpanded } };
}

/** The same sea and budget, for a vessel that may pass outside lateral marks. */
export function contextOutsideMarks(trip: Trip, context: SearchContext): SearchContext {
  const water = context.water.withNeeds(outsideMarks(context.water.needs));
  return { ...context, water, costModel: new CostModel(trip, water) };
}

export type Way =
  | { readonly line: readonly Point[] }
  /** `enclosed`: the end in a small closed body of water, if there is one. */
  | { readonly none: 'no-path' | 'limit'; readonly enclosed: 'from' | 'to' | undefined };

/** Leaves expanded with only the great-circle distance as bound, before the heuristic is built. */
const STRAIGHT_EXPANDED = 300;
/** Leaves expanded from one end before the other end is tried. */
const FIRST_EXPANDED = 6000;
/** An end is enclosed if a search from it runs out of leaves before it has expanded this many. */
const POCKET_EXPANDED = 3000;
/** Leaves are at most this fraction (1/24) of the assumed length of the path. */
const LARGEST_PART = 24;
/**
 * If the heuristic's path is this many times as long as the straight line, it leads around land. The
 * assumed length is then the heuristic's length divided by this.
 */
const DETOUR = 4;
/** After 24,000 leaves without a path, the search restarts with an assumed length longer by this. */
const LONGER = 16;
/** Half the circumference of the earth. For longer paths, leaves would be larger than the seas. */
const LONGEST_METERS = 20_000_000;

export function findWay(context: SearchContext, from: Point, to: Point): Asking<Way> {
  return new WayFinder(context, from, to).find();
}

/** Whether a search without smoothing, with full detail only near the ends, finds a path. */
export function isReachable(context: SearchContext, from: Point, to: Point): Asking<boolean> {
  return new WayFinder(context, from, to).isReachable();
}

class WayFinder {
  readonly #context: SearchContext;
  readonly #from: Point;
  readonly #to: Point;
  readonly #meters: number;
  /** Whether it is proven that no water connects the two ends; `undefined` until it is computed. */
  #areApart: boolean | undefined;

  constructor(context: SearchContext, from: Point, to: Point) {
    this.#context = context;
    this.#from = from;
    this.#to = to;
    this.#meters = greatCircleMeters(from, to);
  }

  *find(): Asking<Way> {
    const { sea, costModel } = this.#context;
    const [from, to] = [this.#from, this.#to];
    let way: Way = { none: 'no-path', enclosed: undefined };
    for (const reach of [FINEST_REACH_METERS, 8 * FINEST_REACH_METERS, Number.POSITIVE_INFINITY]) {
      const lineOfSight = this.#lineOfSight(reach);
      const smoother = new Smoother(lineOfSight, costModel);
      if (yield* settle(sea, () => smoother.isPlain(from, to))) {
        return { line: smoother.unroll([from, to]) };
      }
      way = yield* this.#search(lineOfSight);
      if ('line' in way) {
        const { line } = way;
        yield NO_SQUARES;
        return { line: yield* settle(sea, () => smoother.smooth(line)) };
      }
      // Leaves may be too coarse for a passage that is safe by the exact edges.
      if (way.none === 'no-path' && (yield* settle(sea, () => smoother.isClear(from, to)))) {
        return { line: smoother.unroll([from, to]) };
      }
      const isAll = lineOfSight.detail === FULL_DETAIL;
      if (isAll || way.none === 'limit' || (yield* this.#isApart())) return way;
    }
    return way;
  }

  *isReachable(): Asking<boolean> {
    if (yield* this.#isApart()) return false;
    return 'line' in (yield* this.#search(this.#lineOfSight(FINEST_REACH_METERS)));
  }

  #lineOfSight(reachMeters: number): LineOfSight {
    const detail = detailFor(this.#from, this.#to, this.#meters, reachMeters);
    return new LineOfSight(this.#context.water, detail);
  }

  *#isApart(): Asking<boolean> {
    if (this.#areApart === undefined) {
      const { sea, water } = this.#context;
      const basins = new Basins(water);
      const found = yield* settle(sea, () => basins.joined(this.#from, this.#to));
      this.#areApart = found === 'apart';
    }
    return this.#areApart;
  }

  *#search(lineOfSight: LineOfSight): Asking<Way> {
    const way = yield* this.#searchWith('quick', lineOfSight);
    const needsClearance = lineOfSight.water.needs.lateralMeters > 0;
    if ('line' in way || way.none === 'limit' || !needsClearance || (yield* this.#isApart()))
      return way;
    return yield* this.#searchWith('thorough', lineOfSight);
  }

  *#searchWith(division: Division, lineOfSight: LineOfSight): Asking<Way> {
    const { sea, water, costModel, budget } = this.#context;
    const [from, to] = [this.#from, this.#to];
    const leavesFor = (meters: number) => {
      const cells = meters / metersPerCell((from.y + to.y) / 2);
      const largest = Math.max(0, Math.floor(Math.log2(Math.max(1, cells / LARGEST_PART))));
      return new Leaves(lineOfSight, costModel, largest, division);
    };
    let leaves = leavesFor(this.#meters);
    const run = (search: Search, most: number) => inParts(sea, budget, search, most);
    const straight = new Search(leaves, from, to);
    const first = yield* run(straight, STRAIGHT_EXPANDED);
    if (first === 'found') return { line: straight.path() };
    if (first === 'none') return yield* this.#noPath(leaves);
    const heuristic = yield* settle(sea, () => new Heuristic(water, from, to));
    const far = yield* settle(sea, () => heuristic.bound(from.x, from.y));
    let meters = this.#meters;
    if (far > DETOUR * meters && Number.isFinite(far)) {
      meters = far / DETOUR;
      leaves = leavesFor(meters);
    }
    let forward = new Search(leaves, from, to, heuristic);
    // The goal may be enclosed. A search from the goal detects this sooner.
    let backward = new Search(leaves, to, from);
    for (let most = FIRST_EXPANDED; ; most *= 4) {
      const there = yield* run(forward, most);
      if (there === 'found') return { line: forward.path() };
      if (there === 'none') return yield* this.#noPath(leaves);
      const back = yield* run(backward, most / 2);
      if (back === 'none') {
        const isPocket = backward.expanded < POCKET_EXPANDED;
        return { none: 'no-path', enclosed: isPocket ? 'to' : undefined };
      }
      if (back === 'found' && !costModel.haveDirection) return { line: backward.path().reverse() };
      if (yield* this.#isApart()) return yield* this.#noPath(leaves);
      if (budget.expanded >= budget.mostExpanded) return { none: 'limit', enclosed: undefined };
      if (most === FIRST_EXPANDED || meters * LONGER > LONGEST_METERS) continue;
      // The heuristic's grid is too coarse for the land between the ends. The path is longer.
      meters *= LONGER;
      leaves = leavesFor(meters);
      forward = new Search(leaves, from, to, heuristic);
      backward = new Search(leaves, to, from);
    }
  }

  /** No path, with the enclosed end; if both are enclosed, the one with fewer leaves. */
  *#noPath(leaves: Leaves): Asking<Way> {
    const { sea } = this.#context;
    const forward = new Search(leaves, this.#from, this.#to);
    const there = yield* settle(sea, () => forward.run(POCKET_EXPANDED));
    const backward = new Search(leaves, this.#to, this.#from);
    const back = yield* settle(sea, () => backward.run(POCKET_EXPANDED));
    const isToSmaller = there !== 'none' || backward.expanded < forward.expanded;
    if (back === 'none' && isToSmaller) return { none: 'no-path', enclosed: 'to' };
    return { none: 'no-path', enclosed: there === 'none' ? 'from' : undefined };
  }
}

/** Leaves expanded between two pauses. They take some tens of milliseconds. */
const PART_EXPANDED = 500;

/** Runs a search up to a total number of leaves, with regular pauses so that other work can run. */
function* inParts(sea: Sea, budget: Budget, search: Search, most: number): Asking<SearchEnd> {
  for (;;) {
    const part = Math.min(most, search.expanded + PART_EXPANDED);
    const end = yield* settle(sea, () => spend(budget, search, part));
    const isOver = search.expanded >= most || budget.expanded >= budget.mostExpanded;
    if (end !== 'limit' || isOver) return end;
    yield NO_SQUARES;
  }
}

/** Runs a search up to a total number of leaves, within the remaining budget of the trip. */
function spend(budget: Budget, search: Search, most: number): SearchEnd {
  const before = search.expanded;
  const left = budget.mostExpanded - budget.expanded;
  try {
    return search.run(Math.min(most, before + left));
  } finally {
    // Leaves expanded before a missing square also count.
    budget.expanded += search.expanded - before;
  }
}
