// The input and the result of the planner. Positions are longitude, then latitude. Lengths are in
// metres, angles in degrees, speeds in knots.

import type { Canal } from './passages.ts';
import type { HazardFeature } from './sea.ts';

/** Longitude, latitude. */
export type Position = readonly [number, number];

/** Everything that a trip depends on, with defaults filled in. */
export interface Trip {
  readonly waypoints: readonly Position[];
  readonly vessel: {
    /** Depth of the vessel below the water line. */
    readonly draft: number;
    /** Height of the vessel above the water line. `undefined`: bridges are no limit. */
    readonly airDraft: number | undefined;
    /** Width of the vessel. */
    readonly beam: number;
    readonly length: number;
    readonly speed: number | undefined;
    /** 0: no limit. */
    readonly turningRadius: number;
    /** Maximum change of course at any point of the path; 180: no limit. */
    readonly maxTurnAngle: number;
  };
  readonly safety: {
    /** Minimum water below the bottom of the vessel. */
    readonly underKeelClearance: number;
    /** Minimum space between the top of the vessel and a bridge or cable. */
    readonly overheadClearance: number;
    /** Minimum distance to every hazard, measured from its charted outline. */
    readonly lateralClearance: number;
    /** Preferred distance to the shore. The path may be nearer, at a higher cost. */
    readonly shoreDistance: number;
    /** Height of the water above chart datum, the zero level of charted depths. */
    readonly waterLevel: number;
    /** Whether the path may cross water without a charted depth. */
    readonly allowUnknownDepth: boolean;
  };
  readonly options: {
    /** Polygons that the path must not enter, each as its rings: exterior, holes. */
    readonly avoidAreas: readonly (readonly (readonly Position[])[])[];
    readonly avoid: ReadonlySet<AvoidKind>;
    /** Canals of the background that the path may use, if the vessel fits. */
    readonly canals: ReadonlySet<Canal>;
    readonly preferFairways: boolean;
    /** Whether the path follows the lanes of traffic separation schemes. */
    readonly followTss: boolean;
    readonly optimize: 'distance' | 'safety';
    /** Maximum distance by which an unsafe waypoint may be moved; 0: never moved. */
    readonly maxSnapDistance: number;
    /** Minimum and maximum latitude of the path. */
    readonly latitudeLimits: readonly [number, number];
  };
}

/** The charted depth that a trip needs, metres, and the clearance; `undefined` if height does not constrain. */
export function chartedNeedsOf({ vessel, safety }: Trip) {
  const depth = vessel.draft + safety.underKeelClearance - safety.waterLevel;
  // Clearances are usually charted above high water, so a water level above chart datum does not
  // reduce them further. `UNDER_BRIDGE` states this. A trip that needs more clearance sets an
  // overhead clearance.
  const clearance =
    vessel.airDraft === undefined ? undefined : vessel.airDraft + safety.overheadClearance;
  return { depth, clearance };
}

export const AVOID_KINDS = [
  'areasToBeAvoided',
  'restricted',
  'caution',
  'tss',
  'locks',
  'openingBridges',
  'military',
] as const;
export type AvoidKind = (typeof AVOID_KINDS)[number];

/** A straight line between two neighbouring points of the path. */
export interface Leg {
  readonly from: Position;
  readonly to: Position;
  readonly distance: number;
  /** Direction of the leg, clockwise from true north. Between equal waypoints, that of the next leg. */
  readonly bearing: number;
  /** Change of course at the end of the leg; 0 at the last leg. */
  readonly turn: number;
  /** Least charted depth along the leg; `undefined` if no chart covers the leg. */
  readonly minDepth: number | undefined;
  /** Least vertical clearance of bridges and cables above the leg; `undefined` without bridges and cables. */
  readonly minClearance: number | undefined;
  /** Whether a part of the leg is outside the charts, where only the coarse background is known. */
  readonly background: boolean;
  /** Metres of the leg without a charted depth: outside the charts, or in unsurveyed water. */
  readonly withoutDepth: number;
}

export const WARNING_CODES = [
  /** The least charted depth on the path. */
  'SHALLOWEST',
  'UNDER_BRIDGE',
  'LOCK',
  /** The path uses a strait or canal of the background that has limits. */
  'PASSAGE',
  'OPENING_BRIDGE',
  'RESTRICTED_AREA',
  /** On the path is an object of a class that the planner does not know. */
  'OBJECT_WITHOUT_RULE',
  'CAUTION_AREA',
  /** The path crosses a lane or separation zone of a traffic separation scheme. */
  'CROSSES_LANE',
  /** The path passes outside a pair of lateral marks. */
  'OUTSIDE_MARKS',
  'BACKGROUND_ONLY',
  'UNKNOWN_DEPTH',
  /** The draft is 0. */
  'NO_DRAFT',
  /** A waypoint was moved to safe water. */
  'SNAPPED',
  /** Always present: tides are not included. */
  'NO_TIDES',
] as const;

export interface Warning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly message: string;
  readonly position: Position | undefined;
  readonly feature: HazardFeature | undefined;
}

export const FAILURE_CODES = [
  'WAYPOINT_ON_LAND',
  'WAYPOINT_TOO_SHALLOW',
  'WAYPOINT_UNDER_LOW_CLEARANCE',
  'WAYPOINT_IN_PROHIBITED_AREA',
  /** Nearer to a hazard than the lateral clearance. */
  'WAYPOINT_NEAR_DANGER',
  'OUTSIDE_COVERAGE',
  /** The vessel exceeds a limit of a canal that `options.canals` names. */
  'CANAL_TOO_SMALL',
  'WAYPOINT_ENCLOSED',
  'NO_PATH',
  'TURN_INFEASIBLE',
  'SEARCH_LIMIT',
] as const;

export interface Failure {
  readonly code: (typeof FAILURE_CODES)[number];
  /** Begins with the code. Names the waypoints, numbered from 1, and suggests a solution. */
  readonly message: string;
  /** Index of the waypoint that causes the failure, from 0. */
  readonly waypoint: number | undefined;
  /** The safe position nearest to an unsafe waypoint. */
  readonly nearest: Position | undefined;
}

export interface Plan {
  readonly success: true;
  /** Each part between two points is a rhumb line that has passed the last check. */
  readonly path: readonly Position[];
  readonly legs: readonly Leg[];
  readonly distance: number;
  readonly warnings: readonly Warning[];
  /** Statistics of the search: leaves expanded and squares read. */
  readonly effort: { readonly expanded: number; readonly squares: number };
}

export interface NoPlan {
  readonly success: false;
  readonly failures: readonly Failure[];
  readonly effort: { readonly expanded: number; readonly squares: number };
}
