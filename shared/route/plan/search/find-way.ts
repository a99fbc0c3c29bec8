// The way between two safe points: a straight line if it is clear, otherwise a search with the
// necessary detail, followed by smoothing.

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

/** Limits for a whole trip. */
interface Budget {
  expanded: number;
  readonly mostExpanded: number;
}

/** What all searches of a trip share. */
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

/** The same searches and budget, for a vessel that may pass outside lateral marks. */
export function contextOutsideMarks(trip: Trip, context: SearchContext): SearchContext {
  const water = context.water.withNeeds(outsideMarks(context.water.needs));
  return { ...context, water, costModel: new CostModel(trip, water) };
}

export type Way =
  | { readonly line: readonly Point[] }
  /** `enclosed`: the end that cannot be left, if there is one. */
  | { readonly none: 'no-path' | 'limit'; readonly enclosed: 'from' | 'to' | undefined };

/**
 * Leaves searched with the great circle as the only bound, before a heuristic is worth its cost.
 */
const STRAIGHT_EXPANDED = 300;
/** Leaves searched from one end before the other end is tried. */
const FIRST_EXPANDED = 6000;
/** Leaves within which an enclosed end is detected from that end. */
const POCKET_EXPANDED = 3000;
/** Leaves are no larger than the length of the trip divided by this. */
const LARGEST_PART = 24;
/**
 * A way that is this many times as long as the straight line leads around land. The leaf size is
 * then set by its own length, divided by this factor, because such a way has many capes.
 */
const DETOUR = 4;
/**
 * If 24,000 leaves find no path, the search repeats with leaves for a way this many times longer.
 * The longest such way is half way round the earth. For longer ways, leaves would exceed its seas.
 */
const LONGER = 16;
const LONGEST_METERS = 20_000_000;

export function findWay(context: SearchContext, from: Point, to: Point): Asking<Way> {
  return new WayFinder(context, from, to).find();
}

/** Whether there is any way at all, according to the search alone. */
export function isReachable(context: SearchContext, from: Point, to: Point): Asking<boolean> {
  return new WayFinder(context, from, to).isReachable();
}

class WayFinder {
  readonly #context: SearchContext;
  readonly #from: Point;
  readonly #to: Point;
  readonly #meters: number;
  /** Whether no water connects the two ends; `undefined` until it is computed. */
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
      way = yield* this.#searched(lineOfSight);
      if ('line' in way) {
        const { line } = way;
        yield NO_SQUARES;
        return { line: yield* settle(sea, () => smoother.smooth(line)) };
      }
      // Leaves may be too coarse for a passage that the exact edges leave open.
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
    return 'line' in (yield* this.#searched(this.#lineOfSight(FINEST_REACH_METERS)));
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

  *#searched(lineOfSight: LineOfSight): Asking<Way> {
    const way = yield* this.#searchedBy('quick', lineOfSight);
    const isTight = lineOfSight.water.needs.lateralMeters > 0;
    if ('line' in way || way.none === 'limit' || !isTight || (yield* this.#isApart())) return way;
    return yield* this.#searchedBy('thorough', lineOfSight);
  }

  *#searchedBy(division: Division, lineOfSight: LineOfSight): Asking<Way> {
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
      // Land that the grid cannot resolve lies between; the way around it is longer than assumed.
      meters *= LONGER;
      leaves = leavesFor(meters);
      forward = new Search(leaves, from, to, heuristic);
      backward = new Search(leaves, to, from);
    }
  }

  /** Returns that there is no path, and the enclosed end; the smaller one if both are enclosed. */
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

/** Leaves expanded between two pauses: some tens of milliseconds. */
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
    // Also counts if the search stops for a missing square.
    budget.expanded += search.expanded - before;
  }
}
