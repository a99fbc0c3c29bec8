// What is asked of the planner, and what it answers. Positions are longitude first, lengths metres,
// angles degrees, speeds knots, times epoch milliseconds.

import type { HazardFeature } from './sea.ts';

/** Longitude, latitude. */
export type Position = readonly [number, number];

/** Everything a trip depends on, defaults already filled in. */
export interface Trip {
  readonly waypoints: readonly Position[];
  readonly vessel: {
    readonly draft: number;
    /** Undefined: height does not constrain, and every bridge is warned of. */
    readonly airDraft: number | undefined;
    readonly beam: number;
    readonly length: number;
    readonly speed: number | undefined;
    /** 0: none. */
    readonly turningRadius: number;
    /** Most change of course at any point of the path; 180: none. */
    readonly maxTurnAngle: number;
  };
  readonly safety: {
    readonly underKeelClearance: number;
    readonly overheadClearance: number;
    /** Kept to every hazard of the exact edges. */
    readonly lateralClearance: number;
    /** Preferred distance to shore; costs, does not forbid. */
    readonly shoreDistance: number;
    /** Height of the water above chart datum. */
    readonly waterLevel: number;
    readonly allowUnknownDepth: boolean;
  };
  readonly options: {
    /** Rings of polygons to stay out of: exterior, holes. */
    readonly avoidAreas: readonly (readonly (readonly Position[])[])[];
    readonly avoid: ReadonlySet<AvoidKind>;
    readonly preferFairways: boolean;
    readonly followTss: boolean;
    readonly optimize: 'distance' | 'safety';
    /** A bad waypoint may be moved as far as this; 0: never. */
    readonly maxSnapDistance: number;
    /** South and north. */
    readonly latitudeLimits: readonly [number, number];
  };
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

export interface Leg {
  readonly from: Position;
  readonly to: Position;
  readonly distance: number;
  /** Degrees true at its start. */
  readonly bearing: number;
  /** Change of course at its end, 0 at the last. */
  readonly turn: number;
  /** Least charted depth along it; undefined where only the background knows. */
  readonly minDepth: number | undefined;
  /** Least vertical clearance above it; undefined where nothing is overhead. */
  readonly minClearance: number | undefined;
  /** Outside the charts, planned by the background alone. */
  readonly background: boolean;
  /** Metres of it that have no charted depth: outside the charts, or not surveyed. */
  readonly withoutDepth: number;
}

export const WARNING_CODES = [
  'SHALLOWEST',
  'UNDER_BRIDGE',
  'LOCK',
  'OPENING_BRIDGE',
  'RESTRICTED_AREA',
  'OBJECT_WITHOUT_RULE',
  'CAUTION_AREA',
  'CROSSES_LANE',
  'OUTSIDE_MARKS',
  'BACKGROUND_ONLY',
  'UNKNOWN_DEPTH',
  'NO_DRAFT',
  'SNAPPED',
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
  'WAYPOINT_NEAR_DANGER',
  'OUTSIDE_COVERAGE',
  'WAYPOINT_ENCLOSED',
  'NO_PATH',
  'TURN_INFEASIBLE',
  'SEARCH_LIMIT',
] as const;

export interface Failure {
  readonly code: (typeof FAILURE_CODES)[number];
  /** A sentence that begins with the code, names the waypoint by its number and says what helps. */
  readonly message: string;
  /** From 0. */
  readonly waypoint: number | undefined;
  /** Where it would be safe. */
  readonly nearest: Position | undefined;
}

export interface Plan {
  readonly success: true;
  /** First to last point; every piece between two is a line on the Mercator plane, certified. */
  readonly path: readonly Position[];
  readonly legs: readonly Leg[];
  readonly distance: number;
  readonly warnings: readonly Warning[];
  /** What the search cost, for figures. */
  readonly effort: { readonly expanded: number; readonly squares: number };
}

export interface NoPlan {
  readonly success: false;
  readonly failures: readonly Failure[];
  readonly effort: { readonly expanded: number; readonly squares: number };
}
