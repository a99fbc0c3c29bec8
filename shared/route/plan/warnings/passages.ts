// Canals that are too small for the vessel, and the warnings of a path that uses straits or canals
// of the background.

import { excessOf, limitsOf, uncheckedLimits } from '../../passage-limits.ts';
import { PASSAGES, type Passage, type PassageLimits } from '../../passages.ts';
import { SEA_FLAGS } from '../../sea.ts';
import type { Failure, Trip } from '../../trip.ts';
import { blocksOf, passageBlock } from '../geometry/bounds.ts';
import type { Point } from '../geometry/plane.ts';
import type { Survey } from '../read/survey.ts';

const DIMENSION_TEXTS: Readonly<Record<keyof PassageLimits, string>> = {
  draft: 'draft',
  depth: 'depth',
  airDraft: 'air draft',
  clearance: 'clearance',
  beam: 'beam',
  length: 'length',
};

/** A failure for each chosen canal with a limit that the vessel exceeds. */
export function tooSmallCanals(trip: Trip): Failure[] {
  const failures = new Map<string, Failure>();
  for (const passage of PASSAGES) {
    const { canal, name } = passage;
    if (canal === undefined || failures.has(canal) || !trip.options.canals.has(canal)) continue;
    const excess = excessOf(passage, trip);
    if (excess === undefined) continue;
    const what = DIMENSION_TEXTS[excess.dimension];
    const message = `CANAL_TOO_SMALL: ${name} takes vessels with a ${what} of at most ${excess.limit} m, and this vessel has ${excess.value} m. Remove \`${canal}\` from \`options.canals\`.`;
    failures.set(canal, {
      code: 'CANAL_TOO_SMALL',
      message,
      waypoint: undefined,
      nearest: undefined,
    });
  }
  return [...failures.values()];
}

/** A passage on a path: the text of its warning, and a place in it. */
interface UsedPassage {
  readonly text: string;
  readonly at: Point;
}

/** The passages on a path that the background opens. */
export function passagesAlong(trip: Trip, surveys: readonly Survey[]): UsedPassage[] {
  const places = surveys.flatMap(({ flagsAt }) => flagsAt.get(SEA_FLAGS.passage) ?? []);
  return PASSAGES.flatMap((passage) => {
    const at = places.find((place) => blocksOf(passage).has(passageBlock(place)));
    return at === undefined ? [] : [{ text: warningText(passage, trip), at }];
  });
}

function warningText(passage: Passage, trip: Trip): string {
  const limits = limitsOf(passage).map(
    ([dimension, meters]) => `${DIMENSION_TEXTS[dimension]} ${meters} m`,
  );
  const known = limits.length === 0 ? '' : ` Known limits: ${limits.join(', ')}.`;
  const unchecked = uncheckedLimits(passage, trip).map((dimension) => DIMENSION_TEXTS[dimension]);
  const locks = passage.hasLocks ? ' It has locks.' : '';
  const { airDraft, clearance } = passage.limits;
  const heights =
    airDraft === undefined && clearance === undefined ? 'heights of bridges and cables, ' : '';
  const never = `depth, ${heights}tide, traffic and rules${passage.canal === undefined ? '' : ' of the canal'}`;
  const list = [...unchecked.map((what) => `the ${what}, which the request does not have`), never];
  return `The path uses ${passage.name}, which no chart covers: its line is schematic.${known}${locks} Not checked: ${list.join('; ')}.`;
}
