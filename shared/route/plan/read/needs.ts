// The requirements of a trip, as numbers that are compared with cells and edges.

import { clearanceForNeed, codeForNeed } from '../../depth-code.ts';
import { HAZARD_KINDS, type Hazards, SEA_FLAGS } from '../../sea.ts';
import { type AvoidKind, chartedNeedsOf, type Trip } from '../../trip.ts';

export interface Needs {
  /** Charted depth, metres: draft and under-keel clearance less the height of the water. */
  readonly depth: number;
  readonly depthCode: number;
  /** Charted clearance, metres; `undefined` if height does not constrain. */
  readonly clearance: number | undefined;
  readonly clearanceCode: number;
  /** SEA_FLAGS of cells that may not be entered. */
  readonly forbidden: number;
  /** The lateral clearance, at least half the beam. */
  readonly lateralMeters: number;
  readonly allowUnknownDepth: boolean;
  readonly avoidRestricted: boolean;
  readonly avoidToBeAvoided: boolean;
  /** Not for trips. Used to find out whether a prohibition is what makes a place unsafe. */
  readonly allowProhibited?: boolean;
}

const FLAGS_TO_AVOID: Readonly<Record<AvoidKind, number>> = {
  areasToBeAvoided: SEA_FLAGS.toBeAvoided,
  // Entry restricted includes areas to be avoided.
  restricted: SEA_FLAGS.restricted | SEA_FLAGS.toBeAvoided,
  caution: SEA_FLAGS.caution,
  tss: SEA_FLAGS.lane | SEA_FLAGS.separation,
  locks: SEA_FLAGS.lock,
  openingBridges: SEA_FLAGS.openingBridge,
  military: SEA_FLAGS.military,
};

export function needsOf(trip: Trip): Needs {
  const { vessel, safety, options } = trip;
  const { depth, clearance } = chartedNeedsOf(trip);
  let forbidden: number = SEA_FLAGS.prohibited | SEA_FLAGS.besideMarks | SEA_FLAGS.passage;
  for (const kind of options.avoid) forbidden |= FLAGS_TO_AVOID[kind];
  if (!safety.allowUnknownDepth) forbidden |= SEA_FLAGS.unknownDepth;
  return {
    depth,
    depthCode: codeForNeed(depth),
    clearance,
    // An unknown clearance has the code 0.
    clearanceCode: clearance === undefined ? 0 : Math.max(1, clearanceForNeed(clearance)),
    forbidden,
    lateralMeters: Math.max(safety.lateralClearance, vessel.beam / 2),
    allowUnknownDepth: safety.allowUnknownDepth,
    avoidRestricted: options.avoid.has('restricted'),
    avoidToBeAvoided: (forbidden & SEA_FLAGS.toBeAvoided) !== 0,
  };
}

/** The same needs for a vessel that may pass outside lateral marks. */
export function outsideMarks({ forbidden }: Needs): Pick<Needs, 'forbidden'> {
  return { forbidden: forbidden & ~SEA_FLAGS.besideMarks };
}

const UNKNOWN_DEPTH = HAZARD_KINDS.indexOf('unknown-depth');
const PROHIBITED = HAZARD_KINDS.indexOf('prohibited');
const TO_BE_AVOIDED = HAZARD_KINDS.indexOf('to-be-avoided');
const RESTRICTED = HAZARD_KINDS.indexOf('restricted');
/** Depths are 32-bit floats: 1.8 m is stored as a little less than 1.8. */
const ROUNDING_METERS = 1e-4;

/** Whether an edge is the border of an object that the trip must avoid. */
export function isUnsafe(hazards: Hazards, i: number, needs: Needs): boolean {
  const kind = hazards.kind[i]!;
  if (kind === UNKNOWN_DEPTH) {
    // Water of unknown depth is too shallow if its greatest depth is. NaN: no depth is known.
    return !needs.allowUnknownDepth || hazards.depth[i]! < needs.depth - ROUNDING_METERS;
  }
  if (kind === PROHIBITED) return needs.allowProhibited !== true;
  if (kind === TO_BE_AVOIDED) return needs.avoidToBeAvoided;
  if (kind === RESTRICTED) return needs.avoidRestricted;
  // With this comparison, a depth or height that is NaN is unsafe.
  if (!(hazards.depth[i]! >= needs.depth - ROUNDING_METERS)) return true;
  return (
    needs.clearance !== undefined && !(hazards.clearance[i]! >= needs.clearance - ROUNDING_METERS)
  );
}
