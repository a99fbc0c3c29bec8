// What is answered for a route: the contract's three fields, and beside them what a navigator needs
// to judge it. Positions are latitude first here, but for GeoJSON.

import * as z from 'zod';
import { exactWaypoints } from '../route/exact-waypoints.ts';
import { routeGeojson } from '../route/geojson.ts';
import { routeGpx } from '../route/gpx.ts';
import { continuous, wrapped } from '../route/longitudes.ts';
import { needsOf } from '../route/plan/needs.ts';
import {
  AVOID_KINDS,
  FAILURE_CODES,
  type Leg,
  type NoPlan,
  type Plan,
  type Position,
  WARNING_CODES,
  type Warning,
} from '../route/trip.ts';
import type { RouteRequest } from './route.ts';
import { degrees, epochMs, latitude, latitudeFirst, meters } from './units.ts';

const ROUTE_NOTICE =
  'Not for navigation: made from charts alone, without tides, weather, traffic or notices.';
const METERS_PER_SECOND_PER_KNOT = 1852 / 3600;

const constraintsSchema = z.strictObject({
  vessel: z.strictObject({
    draft: meters,
    airDraft: meters.nullable(),
    beam: meters,
    length: meters,
    speed: z.number().describe('Knots').nullable(),
    turningRadius: meters,
    maxTurnAngle: degrees,
  }),
  safety: z.strictObject({
    underKeelClearance: meters,
    overheadClearance: meters,
    lateralClearance: meters,
    shoreDistance: meters,
    waterLevel: meters,
    allowUnknownDepth: z.boolean(),
  }),
  options: z.strictObject({
    avoid: z.array(z.enum(AVOID_KINDS)),
    preferFairways: z.boolean(),
    followTss: z.boolean(),
    optimize: z.enum(['distance', 'safety']),
    maxSnapDistance: meters,
    latitudeLimits: z.tuple([latitude, latitude]).describe('South and north, degrees'),
  }),
  /** Least charted depth: draft and clearance under the keel, less the height of the water. */
  requiredDepth: meters,
  /** Least charted clearance, where the air draft is known. */
  requiredClearance: meters.nullable(),
  /** Paths of what was not said and taken on the safe side. */
  assumed: z.array(z.string()),
  /** Paths of fields that were sent and are not known; absent if there are none. */
  ignored: z.array(z.string()).optional(),
});

const legSchema = z.strictObject({
  distance: meters,
  /** Degrees true at its start. */
  bearing: degrees,
  /** Change of course at its end, degrees. */
  turn: degrees,
  /** Least charted depth; null where only the background knows of water. */
  minDepth: meters.nullable(),
  /** Least charted clearance; null where nothing is overhead. */
  minClearance: meters.nullable(),
  /** Outside the charts, planned by the background alone. */
  background: z.boolean(),
  /** Length of it without a charted depth. */
  withoutDepth: meters,
  /** At its end, epoch milliseconds; with speed and departureTime. */
  eta: epochMs.optional(),
});

const warningSchema = z.strictObject({
  code: z.enum(WARNING_CODES),
  message: z.string(),
  position: latitudeFirst.nullable(),
  /** As enc_query's `id`. */
  featureId: z.string().nullable(),
});

const failureSchema = z.strictObject({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
  /** From 0. */
  waypoint: z.number().int().nullable(),
  /** Where it would be safe. */
  nearest: latitudeFirst.nullable(),
});

const shared = {
  constraints: constraintsSchema,
  notice: z.string(),
  /** Where the charts came from. */
  attribution: z.array(z.string()),
};

export const routeAnswerSchema = z.discriminatedUnion('success', [
  z.strictObject({
    success: z.literal(true),
    messages: z.array(z.string()).max(0),
    route: z.array(latitudeFirst),
    distance: meters,
    /** Seconds; with speed. */
    duration: z.number().describe('Seconds').optional(),
    eta: epochMs.optional(),
    legs: z.array(legSchema),
    warnings: z.array(warningSchema),
    ...shared,
    /** FeatureCollection, on request. */
    geojson: z.looseObject({ type: z.literal('FeatureCollection') }).optional(),
    /** GPX 1.1, on request. */
    gpx: z.string().optional(),
  }),
  z.strictObject({
    success: z.literal(false),
    messages: z.array(z.string()).min(1),
    route: z.array(latitudeFirst).max(0),
    failures: z.array(failureSchema).min(1),
    ...shared,
  }),
]);

export type RouteAnswer = z.infer<typeof routeAnswerSchema>;
type Constraints = z.infer<typeof constraintsSchema>;

/** The answer for a plan, or for the reasons why there is none. */
export function presentRoute(
  outcome: Plan | NoPlan,
  request: RouteRequest,
  attribution: readonly string[],
): RouteAnswer {
  const facts = {
    constraints: constraintsOf(request),
    notice: ROUTE_NOTICE,
    attribution: [...attribution],
  };
  if (outcome.success) return { ...presentPlan(outcome, request), ...facts };
  const failures = outcome.failures.map(({ code, message, waypoint, nearest }) => ({
    code,
    message,
    waypoint: waypoint ?? null,
    nearest: nearest === undefined ? null : onWire(nearest),
  }));
  const messages = failures.map(({ message }) => message);
  return { success: false, messages, route: [], failures, ...facts };
}

function presentPlan(plan: Plan, request: RouteRequest) {
  const { trip, departureTime, include } = request;
  const points = exactWaypoints(plan.path, trip.waypoints);
  const path = continuous(points.map(({ position }) => position));
  const knots = trip.vessel.speed;
  const secondsFor = (distance: number) =>
    knots === undefined ? undefined : distance / (knots * METERS_PER_SECOND_PER_KNOT);
  const etaAfter = (distance: number) => {
    const seconds = secondsFor(distance);
    return seconds === undefined || departureTime === undefined
      ? {}
      : { eta: Math.round(departureTime + seconds * 1000) };
  };
  let sailed = 0;
  const legs = plan.legs.map((leg) => {
    sailed += leg.distance;
    return { ...presentLeg(leg), ...etaAfter(sailed) };
  });
  const duration = secondsFor(plan.distance);
  // The points of a plan lie between −180 and 180 themselves, with the digits of their waypoints.
  const route = request.continuousLongitudes ? path : points.map(({ position }) => position);
  const warnings = warningsFor(plan, request).map(presentWarning);
  return {
    success: true as const,
    messages: [],
    route: route.map(onWire),
    distance: rounded(plan.distance, 2),
    ...(duration === undefined ? {} : { duration: rounded(duration, 1) }),
    ...etaAfter(plan.distance),
    legs,
    warnings,
    ...(include.has('geojson')
      ? { geojson: routeGeojson(path, plan, request.continuousLongitudes) }
      : {}),
    ...(include.has('gpx') ? { gpx: routeGpx(points, ROUTE_NOTICE) } : {}),
  };
}

/** The planner cannot tell a draft of 0 from one that was not said. */
function warningsFor({ warnings }: Plan, { assumed }: RouteRequest): readonly Warning[] {
  const others = warnings.filter(({ code }) => code !== NO_DRAFT.code);
  return assumed.includes('vessel.draft') ? [...others, NO_DRAFT] : others;
}

const NO_DRAFT: Warning = {
  code: 'NO_DRAFT',
  message: 'NO_DRAFT: no draft was given, so the route has only the clearance under the keel.',
  position: undefined,
  feature: undefined,
};

const presentLeg = (leg: Leg) => ({
  distance: rounded(leg.distance, 2),
  bearing: rounded(leg.bearing, 2) % 360,
  turn: rounded(leg.turn, 2),
  minDepth: leg.minDepth === undefined ? null : roundedDown(leg.minDepth),
  minClearance: leg.minClearance === undefined ? null : roundedDown(leg.minClearance),
  background: leg.background,
  withoutDepth: rounded(leg.withoutDepth, 2),
});

const presentWarning = ({ code, message, position, feature }: Warning) => ({
  code,
  message,
  position: position === undefined ? null : onWire(wrapped(position)),
  featureId: feature === undefined || feature.id === '' ? null : feature.id,
});

function constraintsOf({ trip, assumed, ignored }: RouteRequest): Constraints {
  const { vessel, safety, options } = trip;
  const { avoidAreas: _, avoid, latitudeLimits, ...chosen } = options;
  const { depth, clearance } = needsOf(trip);
  return {
    vessel: { ...vessel, airDraft: vessel.airDraft ?? null, speed: vessel.speed ?? null },
    safety,
    options: { ...chosen, avoid: [...avoid], latitudeLimits: [...latitudeLimits] },
    requiredDepth: rounded(depth, 3),
    requiredClearance: clearance === undefined ? null : rounded(clearance, 3),
    assumed: [...assumed],
    ...(ignored.length > 0 && { ignored: [...ignored] }),
  };
}

const onWire = ([longitude, latitude]: Position): [number, number] => [latitude, longitude];

const rounded = (value: number, digits: number): number => {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
};

/** Centimetres, rounded down; numbers of 32 bits may lie just below the centimetre that was meant. */
const roundedDown = (meters: number): number => Math.floor(meters * 100 + 0.05) / 100;
