// The path between two safe points: the great circle if it is clear and has no extra cost, otherwise
// a search with the necessary detail, followed by smoothing.

import type { Sea } from '../../sea.ts';
import type { Trip } from '../../trip.ts';
import { boundsOf } from '../geometry/bounds.ts';
import {
  greatCircle,
  greatCircleMeters,
  metersPerCell,
  type Point,
  unwrapNear,
} from '../geometry/plane.ts';
import { detailFor, FINEST_REACH_METERS, FULL_DETAIL } from '../read/detail.ts';
import { needsOf, outsideMarks } from '../read/needs.ts';
import { PAUSE, Pieces, type SquareRequests, withSquares } from '../read/square-requests.ts';
import { Water } from '../read/water.ts';
import { LineOfSight } from '../sight/line-of-sight.ts';
import { Basins } from './basins.ts';
import { CostModel } from './cost-model.ts';
import { Heuristic } from './heuristic.ts';
import { areOnTwoOceans } from './land-bridges.ts';
import { type Division, Leaves } from './leaves.ts';
import { lengthOf, OceanPath } from './ocean-path.ts';
import { Search, type SearchEnd } from './search.ts';
import { Smoother } from './smooth.ts';

/** Number of leaves (blocks of water, see leaves.ts) that all searches of a trip have expanded, and its limit. */
export interface Budget {
  expanded: number;
  mostExpanded: number;
}

/** Shared by all searches of a trip. */
export interface SearchContext {
  readonly sea: Sea;
  readonly water: Water;
  readonly pieces: Pieces;
  readonly costModel: CostModel;
  readonly budget: Budget;
  readonly trip: Trip;
}

/** @param mostExpanded maximum number of leaves for all searches together */
export function searchContext(trip: Trip, sea: Sea, mostExpanded: number): SearchContext {
  const water = new Water(sea, needsOf(trip), boundsOf(trip));
  const costModel = new CostModel(trip, water);
  const pieces = new Pieces(sea, water);
  return { sea, water, pieces, costModel, trip, budget: { expanded: 0, mostExpanded } };
}

/** The same sea and budget, for a vessel that may pass outside lateral marks. */
export function contextOutsideMarks(trip: Trip, context: SearchContext): SearchContext {
  const water = context.water.withNeeds(outsideMarks(context.water.needs));
  const pieces = new Pieces(context.sea, water);
  return { ...context, water, pieces, costModel: new CostModel(trip, water) };
}

export type PathResult =
  | { readonly line: readonly Point[] }
  /** `enclosed`: the end that is in a small closed body of water, if any. */
  | { readonly none: 'no-path' | 'limit'; readonly enclosed: 'from' | 'to' | undefined };

/** Leaves expanded before the heuristic is built. Until then the great-circle distance is the lower bound. */
const STRAIGHT_EXPANDED = 300;
/** Leaves expanded from one end before the other end is tried. */
const FIRST_EXPANDED = 6000;
/** An end is enclosed if a search from it can reach fewer leaves than this. */
const ENCLOSED_EXPANDED = 3000;
/** The side of a leaf is at most the assumed length of the path divided by this. */
const LARGEST_PART = 24;
/**
 * If the heuristic's path is this many times as long as the straight line, it leads around land. The
 * assumed length is then the length of the heuristic's path divided by this.
 */
const DETOUR = 4;
/**
 * If 24,000 leaves are expanded without a path, the grid of the heuristic is too coarse for the land between the
 * ends. The search restarts with the assumed length multiplied by this.
 */
const LONGER = 16;
/** From this length on, a trip uses the ocean graph if its path is not nearly straight. */
const OCEAN_METERS = 600_000;
/** From this length on, every trip uses the ocean graph. */
const LONGEST_DIRECT_METERS = 2_000_000;
/** A path is nearly straight if it is at most this many times as long as the great circle. */
const NEARLY_STRAIGHT = 1.1;
/** Leaves that a trip shorter than `OCEAN_METERS` may expand before it uses the ocean graph too. */
const SHORT_EXPANDED = 10_000;
/** Leaves that the search of an edge of the ocean graph, or of a trip from `OCEAN_METERS`, may expand. */
const EDGE_EXPANDED = 3000;
/** Maximum assumed length: half the circumference of the earth. Larger leaves would nearly always contain land. */
const LONGEST_METERS = 20_000_000;

export function findPath(
  context: SearchContext,
  from: Point,
  to: Point,
): SquareRequests<PathResult> {
  return new PathFinder(context, from, to).find();
}

/** Whether a search with full detail only near the ends finds a path. The path is not smoothed. */
export function isReachable(
  context: SearchContext,
  from: Point,
  to: Point,
): SquareRequests<boolean> {
  return new PathFinder(context, from, to).isReachable();
}

class PathFinder {
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

  *find(): SquareRequests<PathResult> {
    const { sea, costModel, pieces } = this.#context;
    const [from, to] = [this.#from, this.#to];
    let result: PathResult = { none: 'no-path', enclosed: undefined };
    // Without a path, the loop repeats with full detail up to a larger distance from the ends.
    for (const reach of [FINEST_REACH_METERS, 8 * FINEST_REACH_METERS, Number.POSITIVE_INFINITY]) {
      const lineOfSight = this.#lineOfSight(reach);
      const smoother = new Smoother(lineOfSight, costModel, pieces);
      if (yield* withSquares(sea, () => smoother.isDirectBest(from, to))) {
        return { line: yield* smoother.unroll([from, to]) };
      }
      if (reach === FINEST_REACH_METERS) {
        const line = yield* this.#guided(smoother);
        if (line !== undefined) return { line };
      }
      result = yield* this.#search(lineOfSight);
      if ('line' in result) {
        const { line } = result;
        yield PAUSE;
        return { line: yield* smoother.smooth(line) };
      }
      // Leaves may be too coarse for a passage that is safe according to the exact edges.
      if (
        result.none === 'no-path' &&
        (yield* withSquares(sea, () => smoother.isClear(from, to)))
      ) {
        return { line: yield* smoother.unroll([from, to]) };
      }
      const isAll = lineOfSight.detail === FULL_DETAIL;
      if (isAll || result.none === 'limit' || (yield* this.#isApart())) return result;
    }
    return result;
  }

  /**
   * The path over the graph of the oceans, for long trips and for ends on two sides of a continent. With
   * canals, short trips use it too. A path that is nearly straight needs no graph.
   */
  *#guided(smoother: Smoother): SquareRequests<readonly Point[] | undefined> {
    const { sea, trip, water } = this.#context;
    const isLong = this.#meters >= OCEAN_METERS;
    const hasCanals = trip.options.canals.size > 0;
    const isOcean =
      this.#meters >= LONGEST_DIRECT_METERS ||
      (yield* withSquares(sea, () => areOnTwoOceans(water, this.#from, this.#to)));
    if (isOcean) return yield* this.#overOceans(smoother, Number.POSITIVE_INFINITY);
    const expanded = isLong ? EDGE_EXPANDED : SHORT_EXPANDED;
    const near = yield* this.#brief(smoother.lineOfSight, expanded);
    yield PAUSE;
    const direct = 'line' in near ? yield* smoother.smooth(near.line) : undefined;
    const isSure = isLong
      ? direct !== undefined && lengthOf(direct) <= NEARLY_STRAIGHT * this.#meters
      : direct !== undefined || ('none' in near && near.none === 'no-path');
    if (isSure && !hasCanals) return direct;
    const most = direct === undefined ? Number.POSITIVE_INFINITY : lengthOf(direct);
    const line = yield* this.#overOceans(smoother, most);
    if (direct === undefined || line === undefined) return direct ?? line;
    return lengthOf(line) < lengthOf(direct) ? line : direct;
  }

  /** A search with its own, small budget. */
  *#brief(lineOfSight: LineOfSight, expanded: number): SquareRequests<PathResult> {
    const { budget } = this.#context;
    const mostExpanded = Math.min(budget.mostExpanded - budget.expanded, expanded);
    const own = { ...this.#context, budget: { expanded: 0, mostExpanded } };
    const result = yield* new PathFinder(own, this.#from, this.#to).#search(lineOfSight);
    budget.expanded += own.budget.expanded;
    return result;
  }

  /** The path over the graph of the oceans, smoothed, if there is one of less than `most` metres. */
  *#overOceans(smoother: Smoother, most: number): SquareRequests<readonly Point[] | undefined> {
    const { water, trip, pieces } = this.#context;
    const oceans = new OceanPath(trip, water, [this.#from, this.#to]);
    const line = yield* oceans.find(
      (from, to, isStraight) => this.#edgeLine(from, to, isStraight),
      (piece) => pieces.run(piece),
      most,
    );
    if (line === undefined) return undefined;
    yield PAUSE;
    return yield* smoother.smooth(line);
  }

  /** The line of an edge: the great circle, or else what a short search finds. */
  *#edgeLine(
    from: Point,
    end: Point,
    isStraight: boolean,
  ): SquareRequests<readonly Point[] | undefined> {
    const to = { x: unwrapNear(end.x, from.x), y: end.y };
    const { water, costModel, pieces } = this.#context;
    const detail = detailFor(from, to, greatCircleMeters(from, to), FINEST_REACH_METERS);
    const smoother = new Smoother(new LineOfSight(water, detail), costModel, pieces);
    if (yield* pieces.run(() => smoother.isClearOfLand(from, to)))
      return [from, ...greatCircle(from, to)];
    if (isStraight) return undefined;
    const finder = new PathFinder(this.#context, from, to);
    const result = yield* finder.#brief(smoother.lineOfSight, EDGE_EXPANDED);
    return 'line' in result ? result.line : undefined;
  }

  *isReachable(): SquareRequests<boolean> {
    if (yield* this.#isApart()) return false;
    return 'line' in (yield* this.#search(this.#lineOfSight(FINEST_REACH_METERS)));
  }

  #lineOfSight(reachMeters: number): LineOfSight {
    const detail = detailFor(this.#from, this.#to, this.#meters, reachMeters);
    return new LineOfSight(this.#context.water, detail);
  }

  *#isApart(): SquareRequests<boolean> {
    if (this.#areApart === undefined) {
      const { sea, water } = this.#context;
      const basins = new Basins(water);
      const found = yield* withSquares(sea, () => basins.joined(this.#from, this.#to));
      this.#areApart = found === 'apart';
    }
    return this.#areApart;
  }

  *#search(lineOfSight: LineOfSight): SquareRequests<PathResult> {
    const result = yield* this.#searchWith('quick', lineOfSight);
    const needsClearance = lineOfSight.water.needs.lateralMeters > 0;
    if ('line' in result || result.none === 'limit' || !needsClearance || (yield* this.#isApart()))
      return result;
    return yield* this.#searchWith('thorough', lineOfSight);
  }

  *#searchWith(division: Division, lineOfSight: LineOfSight): SquareRequests<PathResult> {
    const { sea, water, costModel, budget, pieces } = this.#context;
    const [from, to] = [this.#from, this.#to];
    const leavesFor = (meters: number) => {
      const cells = meters / metersPerCell((from.y + to.y) / 2);
      const largest = Math.max(0, Math.floor(Math.log2(Math.max(1, cells / LARGEST_PART))));
      return new Leaves(lineOfSight, costModel, largest, division);
    };
    let leaves = leavesFor(this.#meters);
    const run = (search: Search, most: number) => inParts(pieces, budget, search, most);
    const straight = new Search(leaves, from, to);
    const first = yield* run(straight, STRAIGHT_EXPANDED);
    if (first === 'found') return { line: straight.path() };
    if (first === 'none') return yield* this.#noPath(leaves);
    const heuristic = yield* withSquares(sea, () => new Heuristic(water, from, to));
    const heuristicMeters = yield* withSquares(sea, () => heuristic.bound(from.x, from.y));
    let meters = this.#meters;
    if (heuristicMeters > DETOUR * meters && Number.isFinite(heuristicMeters)) {
      meters = heuristicMeters / DETOUR;
      leaves = leavesFor(meters);
    }
    let forward = new Search(leaves, from, to, heuristic);
    // If the goal is enclosed, a search from the goal detects it sooner.
    let backward = new Search(leaves, to, from);
    for (let most = FIRST_EXPANDED; ; most *= 4) {
      const forwardEnd = yield* run(forward, most);
      if (forwardEnd === 'found') return { line: forward.path() };
      if (forwardEnd === 'none') return yield* this.#noPath(leaves);
      const backwardEnd = yield* run(backward, most / 2);
      if (backwardEnd === 'none') {
        const isEnclosed = backward.expanded < ENCLOSED_EXPANDED;
        return { none: 'no-path', enclosed: isEnclosed ? 'to' : undefined };
      }
      if (backwardEnd === 'found' && !costModel.dependsOnDirection)
        return { line: backward.path().reverse() };
      if (budget.expanded >= budget.mostExpanded) return { none: 'limit', enclosed: undefined };
      if (yield* this.#isApart()) return yield* this.#noPath(leaves);
      if (most === FIRST_EXPANDED || meters * LONGER > LONGEST_METERS) continue;
      meters *= LONGER;
      leaves = leavesFor(meters);
      forward = new Search(leaves, from, to, heuristic);
      backward = new Search(leaves, to, from);
    }
  }

  /** The result `no-path`. If both ends are enclosed, `enclosed` is the one with fewer leaves. */
  *#noPath(leaves: Leaves): SquareRequests<PathResult> {
    // The budget of the trip does not count these leaves.
    const free = { expanded: 0, mostExpanded: Number.POSITIVE_INFINITY };
    const run = (search: Search) => inParts(this.#context.pieces, free, search, ENCLOSED_EXPANDED);
    const forward = new Search(leaves, this.#from, this.#to);
    const forwardEnd = yield* run(forward);
    const backward = new Search(leaves, this.#to, this.#from);
    const backwardEnd = yield* run(backward);
    const isToSmaller = forwardEnd !== 'none' || backward.expanded < forward.expanded;
    if (backwardEnd === 'none' && isToSmaller) return { none: 'no-path', enclosed: 'to' };
    return { none: 'no-path', enclosed: forwardEnd === 'none' ? 'from' : undefined };
  }
}

/** Leaves expanded in one piece of work. */
const PART_EXPANDED = 16;

/** Runs a search up to a total number of leaves, with regular pauses so that other work can run. */
function* inParts(
  pieces: Pieces,
  budget: Budget,
  search: Search,
  most: number,
): SquareRequests<SearchEnd> {
  for (;;) {
    const part = Math.min(most, search.expanded + PART_EXPANDED);
    const end = yield* pieces.run(() => spend(budget, search, part));
    const isOver = search.expanded >= most || budget.expanded >= budget.mostExpanded;
    if (end !== 'limit' || isOver) return end;
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
