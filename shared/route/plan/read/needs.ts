// What a trip needs of the water, as numbers that cells and edges are compared with.

import { clearanceForNeed, codeForNeed } from '../../depth-code.ts';
import { HAZARD_KINDS, type Hazards, SEA_FLAGS } from '../../sea.ts';
import type { AvoidKind, Trip } from '../../trip.ts';

export interface Needs {
  /** Charted depth, metres: draft and under-keel clearance less the height of the water. */
  readonly depth: number;
  readonly depthCode: number;
  /** Charted clearance, metres; undefined where height does not constrain. */
  readonly clearance: number | undefined;
  readonly clearanceCode: number;
  /** SEA_FLAGS of cells that may not be entered. */
  readonly forbidden: number;
  readonly lateralMeters: number;
  readonly allowUnknownDepth: boolean;
  readonly avoidRestricted: boolean;
  readonly avoidToBeAvoided: boolean;
  /** Never for a trip: to find out whether a prohibition is what keeps a vessel from a place. */
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

export function needsOf({ vessel, safety, options }: Trip): Needs {
  const depth = vessel.draft + safety.underKeelClearance - safety.waterLevel;
  // Clearances are charted above high water, so a level above datum takes nothing from them that
  // the datum has not; a trip that wants more room states it as overhead clearance.
  const clearance =
    vessel.airDraft === undefined ? undefined : vessel.airDraft + safety.overheadClearance;
  let forbidden: number = SEA_FLAGS.prohibited | SEA_FLAGS.besideMarks;
  for (const kind of options.avoid) forbidden |= FLAGS_TO_AVOID[kind];
  if (!safety.allowUnknownDepth) forbidden |= SEA_FLAGS.unknownDepth;
  return {
    depth,
    depthCode: codeForNeed(depth),
    clearance,
    clearanceCode: clearance === undefined ? 0 : clearanceForNeed(clearance),
    forbidden,
    lateralMeters: safety.lateralClearance,
    allowUnknownDepth: safety.allowUnknownDepth,
    avoidRestricted: options.avoid.has('restricted'),
    avoidToBeAvoided: (forbidden & SEA_FLAGS.toBeAvoided) !== 0,
  };
}

/** The same needs of a vessel that may pass outside lateral marks. */
export function outsideMarks({ forbidden }: Needs): Pick<Needs, 'forbidden'> {
  return { forbidden: forbidden & ~SEA_FLAGS.besideMarks };
}

const UNKNOWN_DEPTH = HAZARD_KINDS.indexOf('unknown-depth');
const PROHIBITED = HAZARD_KINDS.indexOf('prohibited');
const TO_BE_AVOIDED = HAZARD_KINDS.indexOf('to-be-avoided');
const RESTRICTED = HAZARD_KINDS.indexOf('restricted');
/** Depths come as 32-bit numbers: 1.8 m is a little less than 1.8. */
const ROUNDING_METERS = 1e-4;

/** Whether an edge is the border of something that the trip must keep away from. */
export function isUnsafe(hazards: Hazards, i: number, needs: Needs): boolean {
  const kind = hazards.kind[i]!;
  if (kind === UNKNOWN_DEPTH) return !needs.allowUnknownDepth;
  if (kind === PROHIBITED) return needs.allowProhibited !== true;
  if (kind === TO_BE_AVOIDED) return needs.avoidToBeAvoided;
  if (kind === RESTRICTED) return needs.avoidRestricted;
  // Written so that a depth or a height that is not a number is unsafe.
  if (!(hazards.depth[i]! >= needs.depth - ROUNDING_METERS)) return true;
  return (
    needs.clearance !== undefined && !(hazards.clearance[i]! >= needs.clearance - ROUNDING_METERS)
  );
}
