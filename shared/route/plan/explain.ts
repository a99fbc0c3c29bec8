// Why there is no path: what the trip would have to give up for one. Such a path is never answered.

import type { Sea } from '../sea.ts';
import type { Trip } from '../trip.ts';
import { FULL_DETAIL } from './detail.ts';
import { contextOutsideMarks, findWay, isReachable, searchContext } from './find-way.ts';
import { LineOfSight } from './line-of-sight.ts';
import { cellsOf, type Point, positionOf } from './plane.ts';
import { type Asking, settle } from './settle.ts';
import { metersText, positionText } from './texts.ts';

/** Leaves that each try may expand: it is only for a message. */
const EXPANDED_EACH = 40_000;
const DRAFT_STEPS = 4;
const CLEARANCE_STEPS = 5;
/** Points of a way at which its width is looked at. */
const MOST_POINTS = 4000;

/** @returns sentences, or '' where nothing that could be given up opens a way */
export function* whatBinds(trip: Trip, sea: Sea, from: Point, to: Point): Asking<string> {
  const opens = (change: Partial<Trip>) => isOpen({ ...trip, ...change }, sea, from, to);
  const { vessel, safety, options } = trip;
  const shallower = (draft: number) => ({ vessel: { ...vessel, draft } });
  if (vessel.draft > 0 && (yield* opens(shallower(0)))) {
    let [enough, tooMuch] = [0, vessel.draft];
    for (let i = 0; i < DRAFT_STEPS; i++) {
      const draft = (enough + tooMuch) / 2;
      if (yield* opens(shallower(draft))) enough = draft;
      else tooMuch = draft;
    }
    const tenths = Math.floor(enough * 10) / 10;
    return `It is too shallow for a draft of ${metersText(vessel.draft)}; a path exists for ${metersText(tenths)}.`;
  }
  if (
    vessel.airDraft !== undefined &&
    (yield* opens({ vessel: { ...vessel, airDraft: undefined } }))
  ) {
    return `Something overhead is too low for an air draft of ${metersText(vessel.airDraft)}; a path exists below it.`;
  }
  const free = { ...options, avoid: new Set<never>(), avoidAreas: [] };
  if (
    (options.avoid.size > 0 || options.avoidAreas.length > 0) &&
    (yield* opens({ options: free }))
  ) {
    return 'A path exists through areas that the trip avoids (`options.avoid`, `options.avoidAreas`).';
  }
  if (
    safety.lateralClearance > 0 &&
    (yield* opens({ safety: { ...safety, lateralClearance: 0 } }))
  ) {
    const narrow = yield* narrowest(trip, sea, from, to);
    return `The way is too narrow for a lateral clearance of ${metersText(safety.lateralClearance)}.${narrow}`;
  }
  if (
    !safety.allowUnknownDepth &&
    (yield* opens({ safety: { ...safety, allowUnknownDepth: true } }))
  ) {
    return 'A path exists through water of unknown depth (`safety.allowUnknownDepth`).';
  }
  return '';
}

/** The narrowest place of the widest way that is found, as a sentence; '' if none is found again. */
function* narrowest(trip: Trip, sea: Sea, from: Point, to: Point): Asking<string> {
  const { safety } = trip;
  const wayWith = (lateralClearance: number) => {
    const narrower = { ...trip, safety: { ...safety, lateralClearance } };
    return contextOutsideMarks(narrower, searchContext(narrower, sea, EXPANDED_EACH));
  };
  let [enough, tooMuch] = [0, safety.lateralClearance];
  for (let i = 0; i < CLEARANCE_STEPS; i++) {
    const middle = (enough + tooMuch) / 2;
    if (yield* isReachable(wayWith(middle), from, to)) enough = middle;
    else tooMuch = middle;
  }
  const context = wayWith(enough);
  const way = yield* findWay(context, from, to);
  if ('none' in way) return '';
  const lineOfSight = new LineOfSight(context.water, FULL_DETAIL);
  const within = cellsOf(safety.lateralClearance, from.y);
  let at = from;
  let least = Number.POSITIVE_INFINITY;
  for (const point of pointsAlong(way.line)) {
    const found = yield* settle(sea, () => lineOfSight.nearestUnsafe(point, within));
    if (found === undefined || found.distance >= least) continue;
    [at, least] = [point, found.distance];
  }
  const meters = Math.floor(2 * enough);
  return ` Its narrowest place, at ${positionText(positionOf(at))}, is about ${meters} m wide.`;
}

/** Points of a line, a cell apart, or farther where it is long. */
function pointsAlong(line: readonly Point[]): Point[] {
  const lengths = line.slice(1).map((b, i) => Math.hypot(b.x - line[i]!.x, b.y - line[i]!.y));
  const step = Math.max(1, lengths.reduce((sum, one) => sum + one, 0) / MOST_POINTS);
  return lengths.flatMap((length, i) => {
    const count = Math.ceil(length / step);
    const [a, b] = [line[i]!, line[i + 1]!];
    return Array.from({ length: count }, (_, k) => ({
      x: a.x + ((b.x - a.x) * k) / count,
      y: a.y + ((b.y - a.y) * k) / count,
    }));
  });
}

function isOpen(trip: Trip, sea: Sea, from: Point, to: Point): Asking<boolean> {
  const context = searchContext(trip, sea, EXPANDED_EACH);
  return isReachable(contextOutsideMarks(trip, context), from, to);
}
