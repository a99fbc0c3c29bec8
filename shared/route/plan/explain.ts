// Why there is no path: what the trip would have to give up for one. Such a path is never answered.

import type { Sea } from '../sea.ts';
import type { Trip } from '../trip.ts';
import { contextOutsideMarks, isReachable, searchContext } from './find-way.ts';
import type { Point } from './plane.ts';
import type { Asking } from './settle.ts';
import { metersText } from './texts.ts';

/** Leaves that each try may expand: it is only for a message. */
const EXPANDED_EACH = 40_000;
const DRAFT_STEPS = 4;

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
    return `The way is too narrow for a lateral clearance of ${metersText(safety.lateralClearance)}.`;
  }
  if (
    !safety.allowUnknownDepth &&
    (yield* opens({ safety: { ...safety, allowUnknownDepth: true } }))
  ) {
    return 'A path exists through water of unknown depth (`safety.allowUnknownDepth`).';
  }
  return '';
}

function isOpen(trip: Trip, sea: Sea, from: Point, to: Point): Asking<boolean> {
  const context = searchContext(trip, sea, EXPANDED_EACH);
  return isReachable(contextOutsideMarks(trip, context), from, to);
}
