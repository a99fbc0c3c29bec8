// Whether a vessel fits straits and canals of the background.

import { PASSAGES, type Passage, type PassageLimits } from './passages.ts';
import { chartedNeedsOf, type Trip } from './trip.ts';

/** A dimension of the vessel, and its largest value. */
interface Excess {
  readonly passage: Passage;
  readonly dimension: keyof PassageLimits;
  readonly limit: number;
  readonly value: number;
}

/** The first limit of a passage that a vessel exceeds. Unknown dimensions are not compared. */
export function excessOf(passage: Passage, trip: Trip): Excess | undefined {
  for (const [dimension, limit] of limitsOf(passage)) {
    const value = neededOf(dimension, trip);
    if (value !== undefined && value > limit) return { passage, dimension, limit, value };
  }
  return undefined;
}

/** What a trip needs of a dimension, metres; `undefined` if it is unknown. */
function neededOf(dimension: keyof PassageLimits, trip: Trip): number | undefined {
  return dimension === 'depth' || dimension === 'clearance'
    ? chartedNeedsOf(trip)[dimension]
    : trip.vessel[dimension] || undefined;
}

/** The dimensions of the vessel that a passage limits and that the request does not have. */
export function uncheckedLimits(passage: Passage, trip: Trip): (keyof PassageLimits)[] {
  return limitsOf(passage).flatMap(([dimension]) => {
    if (neededOf(dimension, trip) !== undefined) return [];
    return dimension === 'clearance' ? 'airDraft' : dimension;
  });
}

/** Passages that a trip may use: straits and the chosen canals, if the vessel fits. */
export function openPassages(trip: Trip): readonly Passage[] {
  return PASSAGES.filter(
    (passage) =>
      (passage.canal === undefined || trip.options.canals.has(passage.canal)) &&
      !(passage.hasLocks && trip.options.avoid.has('locks')) &&
      excessOf(passage, trip) === undefined,
  );
}

export function limitsOf({ limits }: Passage): [keyof PassageLimits, number][] {
  return Object.entries(limits) as [keyof PassageLimits, number][];
}
