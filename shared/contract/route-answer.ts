// Response of the route endpoint: the contract's three fields, and details for judging the route.
// Positions have the latitude first, except in GeoJSON.

import * as z from 'zod';
import { exactWaypoints } from '../route/exact-waypoints.ts';
import { routeGeojson } from '../route/geojson.ts';
import { routeGpx } from '../route/gpx.ts';
import { continuous, wrapped } from '../route/longitudes.ts';
import { CANALS } from '../route/passages.ts';
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
import { GEOJSON_TYPE } from './geojson.ts';
import type { RouteRequest } from './route.ts';
import {
  chartedMeters,
  continuousLatitudeFirst,
  count,
  epochMs,
  latitude,
  latitudeFirst,
  meters,
} from './units.ts';

const ROUTE_NOTICE =
  'Not for navigation: made from charts alone, without tides, weather, traffic or notices.';
const METERS_PER_SECOND_PER_KNOT = 1852 / 3600;

const vesselSchema = z.strictObject({
  draft: meters.describe('Draft, metres'),
  airDraft: meters.nullable().describe('Height above the water, metres; null if unknown'),
  beam: meters.describe('Beam, metres'),
  length: meters.describe('Length, metres'),
  speed: z.number().min(0).max(100).nullable().describe('Speed, knots; null if unknown'),
  turningRadius: meters.describe('Turning radius, metres'),
  maxTurnAngle: z.number().min(1).max(180).describe('Maximum angle of one turn, degrees'),
});

const safetySchema = z.strictObject({
  underKeelClearance: meters.describe('Depth below the keel, metres'),
  overheadClearance: meters.describe('Height above the air draft, metres'),
  lateralClearance: meters.describe(
    'Free water on each side of the path, metres; at least half the beam',
  ),
  shoreDistance: meters.describe('Preferred distance from the shore, metres'),
  waterLevel: chartedMeters.describe('Height of the tide above chart datum, metres'),
  allowUnknownDepth: z.boolean().describe('Whether water of unknown depth may be crossed'),
});

const optionsSchema = z.strictObject({
  avoid: z.array(z.enum(AVOID_KINDS)).describe('Kinds of areas that the route avoids'),
  canals: z.array(z.enum(CANALS)).describe('Canals that the route may use'),
  preferFairways: z.boolean().describe('Whether fairways are preferred'),
  followTss: z
    .boolean()
    .describe(
      'Whether the route follows the direction of traffic lanes and one-way fairways, as long as the search stays within its limit',
    ),
  optimize: z.enum(['distance', 'safety']).describe('What the route minimizes first'),
  maxSnapDistance: meters.describe('Distance by which a waypoint may be moved, metres'),
  latitudeLimits: z.tuple([latitude, latitude]).describe('South and north, degrees'),
});

const constraintsSchema = z
  .strictObject({
    vessel: vesselSchema.describe('The vessel with the assumed values'),
    safety: safetySchema.describe('The safety margins with the assumed values'),
    options: optionsSchema.describe('The options with their defaults'),
    requiredDepth: chartedMeters.describe(
      'Minimum charted depth, metres: draft plus under-keel clearance minus the water level',
    ),
    requiredClearance: meters
      .nullable()
      .describe(
        'Minimum charted vertical clearance, metres: air draft plus overhead clearance, whatever the water level; null if the request has no air draft',
      ),
    assumed: z
      .array(z.string())
      .describe('Paths of missing fields for which safe values are used, such as `vessel.draft`'),
    ignored: z
      .array(z.string())
      .optional()
      .describe('Paths of unknown fields in the request; absent if all fields are known'),
  })
  .meta({ id: 'RouteConstraints', description: 'Values with which the route was planned' });

const legSchema = z
  .strictObject({
    distance: meters.describe('Length, metres'),
    bearing: z.number().min(0).max(360).describe('Initial true bearing, degrees'),
    turn: z.number().min(0).max(180).describe('Change of course at the end, degrees'),
    minDepth: chartedMeters
      .nullable()
      .describe(
        'Minimum charted depth, metres; null if no depth is charted along the leg. With a warning `UNKNOWN_DEPTH`, the water can be shallower',
      ),
    minClearance: chartedMeters
      .nullable()
      .describe(
        'Minimum vertical clearance, metres; 0 if a clearance is unknown or less than 0.1 m; null if nothing crosses above',
      ),
    background: z
      .boolean()
      .describe(
        'Whether the leg lies outside charted areas and is planned with the background map only',
      ),
    withoutDepth: meters.describe('Length without a charted depth, metres'),
    eta: epochMs
      .optional()
      .describe('Time at the end, epoch milliseconds; requires `speed` and `departureTime`'),
  })
  .meta({ id: 'RouteLeg', description: 'A leg between two points of the route' });

const warningSchema = z
  .strictObject({
    code: z.enum(WARNING_CODES).describe('Identifies the kind of warning; stable'),
    message: z.string().describe('The warning as text'),
    position: continuousLatitudeFirst
      .nullable()
      .describe('[latitude, longitude], degrees; null if it concerns the whole route'),
    featureId: z.string().nullable().describe('The `id` in enc_query; null without a feature'),
  })
  .meta({ id: 'RouteWarning', description: 'What the navigator must check' });

const failureSchema = z
  .strictObject({
    code: z.enum(FAILURE_CODES).describe('Identifies the reason; stable'),
    message: z.string().describe('The reason as text, with what can be done'),
    waypoint: count
      .nullable()
      .describe(
        'Index of the waypoint, beginning at 0; null if the reason concerns no single waypoint',
      ),
    nearest: latitudeFirst
      .nullable()
      .describe('The nearest safe position, [latitude, longitude], degrees; null if none is near'),
  })
  .meta({ id: 'RouteFailure', description: 'A reason why there is no route' });

const common = {
  constraints: constraintsSchema,
  notice: z.string().describe('Notice to display with the route'),
  attribution: z.array(z.string()).describe('Sources of the charts'),
};

const routeFoundSchema = z
  .strictObject({
    success: z.literal(true).describe('There is a route'),
    messages: z.array(z.string()).max(0).describe('Empty'),
    route: z
      .array(continuousLatitudeFirst)
      .describe('Points of the route, [latitude, longitude], degrees'),
    distance: meters.describe('Length of the route, metres'),
    duration: z.number().min(0).max(1e12).optional().describe('Seconds; requires `speed`'),
    eta: epochMs
      .optional()
      .describe('Time of arrival, epoch milliseconds; requires `speed` and `departureTime`'),
    legs: z.array(legSchema).describe('Legs in the order of the route'),
    warnings: z.array(warningSchema).describe('Warnings along the route'),
    ...common,
    geojson: z
      .looseObject({ type: z.literal('FeatureCollection').describe(GEOJSON_TYPE) })
      .optional()
      .describe('The route as GeoJSON (RFC 7946); only if requested with `include`'),
    gpx: z.string().optional().describe('The route as GPX 1.1; only if requested with `include`'),
  })
  .meta({ id: 'RouteFound', description: 'A route with its legs and warnings' });

const routeRefusedSchema = z
  .strictObject({
    success: z.literal(false).describe('There is no route'),
    messages: z.array(z.string()).min(1).describe('The reasons as text'),
    route: z.array(latitudeFirst).max(0).describe('Empty'),
    failures: z.array(failureSchema).min(1).describe('The reasons with their codes'),
    ...common,
  })
  .meta({ id: 'RouteRefused', description: 'The reasons why there is no route' });

export const routeAnswerSchema = z
  .discriminatedUnion('success', [routeFoundSchema, routeRefusedSchema])
  .meta({ id: 'RouteResult', description: 'A route, or the reasons for a refusal' });

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
  const { avoidAreas: _, avoid, canals, latitudeLimits, ...chosen } = options;
  const { depth, clearance, lateralMeters } = needsOf(trip);
  return {
    vessel: { ...vessel, airDraft: vessel.airDraft ?? null, speed: vessel.speed ?? null },
    safety: { ...safety, lateralClearance: lateralMeters },
    options: {
      ...chosen,
      avoid: [...avoid],
      canals: [...canals],
      latitudeLimits: [...latitudeLimits],
    },
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
