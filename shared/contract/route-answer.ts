// Response of the route endpoint: the contract's three fields, and details for judging the route.
// Positions have the latitude first, except in GeoJSON.

import * as z from 'zod';
import { exactWaypoints } from '../route/exact-waypoints.ts';
import { routeGeojson } from '../route/geojson.ts';
import { routeGpx } from '../route/gpx.ts';
import { continuous, wrapped } from '../route/longitudes.ts';
import { needsOf } from '../route/plan/read/needs.ts';
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
  /** Minimum charted depth: draft plus under-keel clearance minus the water level. */
  requiredDepth: meters,
  /** Minimum charted vertical clearance, if the air draft is known. */
  requiredClearance: meters.nullable(),
  /** Paths of missing fields for which safe values are used. */
  assumed: z.array(z.string()),
  /** Paths of unknown fields in the request; absent if all fields are known. */
  ignored: z.array(z.string()).optional(),
});

const legSchema = z.strictObject({
  distance: meters,
  /** Initial true bearing in degrees. */
  bearing: degrees,
  /** Change of course at the end in degrees. */
  turn: degrees,
  /** Minimum charted depth; null if the leg lies outside charted areas. */
  minDepth: meters.nullable(),
  /** Minimum vertical clearance; null if there is nothing overhead. */
  minClearance: meters.nullable(),
  /** Whether it lies outside charted areas and is planned with the background map only. */
  background: z.boolean(),
  /** Length without a charted depth. */
  withoutDepth: meters,
  /** Time at the end; requires speed and departureTime. */
  eta: epochMs.optional(),
});

const warningSchema = z.strictObject({
  code: z.enum(WARNING_CODES),
  message: z.string(),
  position: latitudeFirst.nullable(),
  /** The `id` in enc_query. */
  featureId: z.string().nullable(),
});

const failureSchema = z.strictObject({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
  /** Index, beginning at 0. */
  waypoint: z.number().int().nullable(),
  /** The nearest safe position. */
  nearest: latitudeFirst.nullable(),
});

const shared = {
  constraints: constraintsSchema,
  notice: z.string(),
  /** Sources of the charts. */
  attribution: z.array(z.string()),
};

export const routeAnswerSchema = z.discriminatedUnion('success', [
  z.strictObject({
    success: z.literal(true),
    messages: z.array(z.string()).max(0),
    route: z.array(latitudeFirst),
    distance: meters,
    /** Requires speed. */
    duration: z.number().describe('Seconds').optional(),
    eta: epochMs.optional(),
    legs: z.array(legSchema),
    warnings: z.array(warningSchema),
    ...shared,
    /** FeatureCollection; only if requested. */
    geojson: z.looseObject({ type: z.literal('FeatureCollection') }).optional(),
    /** GPX 1.1; only if requested. */
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

/** The response with a route, or with the reasons why there is no route. */
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

/** The planner cannot distinguish a draft of 0 from a missing draft. */
function warningsFor({ warnings }: Plan, { assumed }: RouteRequest): readonly Warning[] {
  const others = warnings.filter(({ code }) => code !== NO_DRAFT.code);
  return assumed.includes('vessel.draft') ? [...others, NO_DRAFT] : others;
}

const NO_DRAFT: Warning = {
  code: 'NO_DRAFT',
  message:
    'NO_DRAFT: The request has no draft, so only the under-keel clearance is used. Send vessel.draft.',
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

/** Rounds down to centimetres; a 32-bit float may be slightly below the intended centimetre. */
const roundedDown = (meters: number): number => Math.floor(meters * 100 + 0.05) / 100;
