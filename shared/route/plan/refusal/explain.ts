// Why a trip is refused: finds the single limit without which a path exists. The path that is found
// without the limit is never returned.

import { TENTHS_BELOW_METERS } from '../../depth-code.ts';
import type { Sea } from '../../sea.ts';
import type { Trip } from '../../trip.ts';
import { type Point, positionOf } from '../geometry/plane.ts';
import { needsOf } from '../read/needs.ts';
import type { SquareRequests } from '../read/square-requests.ts';
import { contextOutsideMarks, findPath, isReachable, searchContext } from '../search/find-path.ts';
import { metersText, positionText } from '../warnings/texts.ts';
import { narrowestPlace } from './narrowest.ts';

/** Maximum number of leaves (search nodes) of each search, and of all searches of one refusal. */
const MOST_LEAVES = { each: 40_000, all: 160_000 };
const DRAFT_STEPS = 4;
const CLEARANCE_STEPS = 5;

interface Limit {
  /** The name of the limit in a list. */
  readonly name: string;
  readonly isSet: boolean;
  /** The changes that remove the limit from the trip. */
  readonly without: Partial<Trip>;
  readonly explain: () => string | SquareRequests<string>;
}

/**
 * @returns sentences that name the limit, or all limits that were checked; '' if the trip sets none
 */
export function* explainRefusal(
  trip: Trip,
  sea: Sea,
  [from, to]: readonly [Point, Point],
  mostLeaves = MOST_LEAVES,
): SquareRequests<string> {
  const tries = new Tries(trip, sea, [from, to], mostLeaves);
  const checked: string[] = [];
  const unknown: string[] = [];
  for (const { name, isSet, without, explain } of limitsOf(trip, tries)) {
    if (!isSet) continue;
    const found = yield* tries.isOpen(without);
    if (found === true) {
      const text = explain();
      return typeof text === 'string' ? text : yield* text;
    }
    (found === false ? checked : unknown).push(name);
  }
  const sentences = [];
  if (checked.length > 0) {
    sentences.push(
      `If one of these limits is removed, there is still no path: ${checked.join(', ')}.`,
    );
  }
  if (unknown.length > 0) {
    sentences.push(
      `These limits were not checked, because the search would take too long: ${unknown.join(', ')}.`,
    );
  }
  return sentences.join(' ');
}

function limitsOf(trip: Trip, tries: Tries): Limit[] {
  const { vessel, safety, options } = trip;
  const { lateralMeters, clearance = 0 } = needsOf(trip);
  return [
    {
      name: `the lateral clearance (${metersText(lateralMeters)})`,
      isSet: lateralMeters > 0,
      without: withLateralMeters(trip, 0),
      explain: () => widthText(trip, tries),
    },
    {
      name: `the draft (${metersText(vessel.draft)})`,
      isSet: vessel.draft > 0,
      without: { vessel: { ...vessel, draft: 0 } },
      explain: () => draftText(trip, tries),
    },
    {
      name: `the air draft (${metersText(vessel.airDraft ?? 0)})`,
      isSet: vessel.airDraft !== undefined,
      without: { vessel: { ...vessel, airDraft: undefined } },
      explain: () =>
        `A bridge or another overhead object is too low for an air draft of ${metersText(vessel.airDraft ?? 0)}${roundedText(clearance, 'higher', 'clearances')}; a lower vessel could pass.`,
    },
    {
      name: 'avoided areas (`options.avoid`, `options.avoidAreas`)',
      isSet: options.avoid.size > 0 || options.avoidAreas.length > 0,
      without: { options: { ...options, avoid: new Set<never>(), avoidAreas: [] } },
      explain: () =>
        'A path exists through areas that the trip avoids (`options.avoid`, `options.avoidAreas`).',
    },
    {
      name: 'unknown depths (`safety.allowUnknownDepth`)',
      isSet: !safety.allowUnknownDepth,
      without: { safety: { ...safety, allowUnknownDepth: true } },
      explain: () => 'A path exists through water of unknown depth (`safety.allowUnknownDepth`).',
    },
  ];
}

/** From this height or depth, the values of grid cells may be less than charted. */
function roundedText(need: number, more: string, values: string): string {
  return need <= TENTHS_BELOW_METERS
    ? ''
    : `, or too little ${more}, because ${values} of more than ${TENTHS_BELOW_METERS} m are rounded down`;
}

function* draftText(trip: Trip, tries: Tries): SquareRequests<string> {
  const { vessel } = trip;
  const enough = yield* tries.bisect(vessel.draft, DRAFT_STEPS, (draft) => ({
    vessel: { ...vessel, draft },
  }));
  const tenths = Math.floor(enough * 10) / 10;
  const rounded = roundedText(needsOf(trip).depth, 'deeper', 'depths');
  return `It is too shallow for a draft of ${metersText(vessel.draft)}${rounded}; a path exists for ${metersText(tenths)}.`;
}

/** Reports the narrowest place of the path with the largest lateral clearance. */
function* widthText(trip: Trip, tries: Tries): SquareRequests<string> {
  const { lateralMeters } = needsOf(trip);
  const narrower = (meters: number) => withLateralMeters(trip, meters);
  const enough = yield* tries.bisect(lateralMeters, CLEARANCE_STEPS, narrower);
  const text = `The way is too narrow for a lateral clearance of ${metersText(lateralMeters)}.`;
  const place = yield* tries.narrowestPlace(narrower(enough), 2 * lateralMeters);
  if (place === undefined) return text;
  const { at, widthMeters } = place;
  return `${text} Its narrowest place, at ${positionText(positionOf(at))}, is about ${Math.floor(widthMeters)} m wide.`;
}

/** A lateral clearance that half the beam does not raise. */
function withLateralMeters({ vessel, safety }: Trip, meters: number): Partial<Trip> {
  return { vessel: { ...vessel, beam: 0 }, safety: { ...safety, lateralClearance: meters } };
}

/** Searches for a path with one limit changed. All searches share a maximum number of leaves. */
class Tries {
  readonly #trip: Trip;
  readonly #sea: Sea;
  readonly #from: Point;
  readonly #to: Point;
  readonly #each: number;
  #left: number;

  constructor(
    trip: Trip,
    sea: Sea,
    [from, to]: readonly [Point, Point],
    { each, all }: typeof MOST_LEAVES,
  ) {
    this.#trip = trip;
    this.#sea = sea;
    this.#from = from;
    this.#to = to;
    this.#each = each;
    this.#left = all;
  }

  /** Whether a path exists; undefined if the search reached its limit. */
  *isOpen(change: Partial<Trip>): SquareRequests<boolean | undefined> {
    const context = this.#context(change);
    const isOpen = yield* isReachable(context, this.#from, this.#to);
    const { expanded, mostExpanded } = context.budget;
    this.#left -= expanded;
    return isOpen || expanded < mostExpanded ? isOpen : undefined;
  }

  /** The largest value from 0 to `most` for which a path exists, with an error of `most` / 2^`steps`. */
  *bisect(
    most: number,
    steps: number,
    changeTo: (value: number) => Partial<Trip>,
  ): SquareRequests<number> {
    let [enough, tooMuch] = [0, most];
    for (let i = 0; i < steps; i++) {
      const middle = (enough + tooMuch) / 2;
      if ((yield* this.isOpen(changeTo(middle))) === true) enough = middle;
      else tooMuch = middle;
    }
    return enough;
  }

  *narrowestPlace(change: Partial<Trip>, widthMeters: number) {
    const context = this.#context(change);
    const result = yield* findPath(context, this.#from, this.#to);
    this.#left -= context.budget.expanded;
    if ('none' in result) return undefined;
    return yield* narrowestPlace(context.water, this.#sea, result.line, widthMeters);
  }

  /** Paths may pass outside lateral marks, as in the last attempt of the planner. */
  #context(change: Partial<Trip>) {
    const trip = { ...this.#trip, ...change };
    const most = Math.max(0, Math.min(this.#each, this.#left));
    return contextOutsideMarks(trip, searchContext(trip, this.#sea, most));
  }
}
