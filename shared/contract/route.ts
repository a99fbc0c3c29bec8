// Request of the route endpoint: waypoints with the latitude first, vessel, safety margins and
// options. Missing margins get safe values; a missing draft is 0.

import * as z from 'zod';
import { CANALS, type Canal } from '../route/passages.ts';
import { AVOID_KINDS, type AvoidKind, type Trip } from '../route/trip.ts';
import { avoidAreasSchema, avoidRings, MAX_AVOID_CORNERS } from './avoid-areas.ts';
import { examine } from './examine.ts';
import { faultsOf } from './faults.ts';

export const MIN_WAYPOINTS = 2;
/** Optional parts of the response. */
const ROUTE_EXTRAS = ['warnings', 'legs', 'geojson', 'gpx'] as const;
type RouteExtra = (typeof ROUTE_EXTRAS)[number];

/** Default limits because of ice, unless a waypoint lies beyond them or limits are given. */
const ICE_FREE: readonly [south: number, north: number] = [-66, 72];
const MARGIN_DEGREES = 1;
/** Fraction of the draft; at least half a metre. */
const KEEL_SHARE = 0.2;
const MIN_UNDER_KEEL_METERS = 0.5;
const MIN_LATERAL_METERS = 10;
const OVERHEAD_METERS = 0.5;
const LAST_DEPARTURE_MS = Date.UTC(2100, 0);

/** `null` counts as absent. */
const optional = <T extends z.ZodType>(inner: T) => inner.nullish();
/** @param description unit and default, for the reference */
const within = (least: number, most: number, description: string) =>
  optional(z.number().min(least).max(most).describe(description));
const yesNo = (description: string) => optional(z.boolean().describe(description));

const draft = within(0, 50, 'Metres; default 0, which `constraints` reports');
const airDraft = within(
  0,
  200,
  'Metres above the water; if absent, heights are not checked and each bridge causes a warning',
);
const turningRadius = within(0, 10_000, 'Metres; default 0');
const maxTurnAngle = within(1, 180, 'Maximum degrees of one turn; default 180');

const waypoint = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)], {
  error: 'must be [latitude, longitude] in degrees, from -90 to 90 and from -180 to 180',
});

/** Metres, degrees, knots and epoch milliseconds. Unknown fields are ignored. */
export const routeBodySchema = z
  .object({
    waypoints: z
      .array(waypoint, { error: 'must be a list of at least two [latitude, longitude]' })
      .min(MIN_WAYPOINTS, 'must have at least two entries')
      .describe(
        'Positions [latitude, longitude] in degrees, visited in this order; the deployment has a maximum, 25 by default',
      ),
    vessel: optional(
      z.object({
        draft,
        airDraft,
        beam: within(0, 150, 'Metres; default 0'),
        length: within(0, 1000, 'Metres; default 0'),
        speed: within(0.1, 100, 'Knots, for the duration of the route'),
        turningRadius,
        maxTurnAngle,
      }),
    ).describe('The vessel'),
    safety: optional(
      z.object({
        underKeelClearance: within(0, 50, 'Metres; default one fifth of the draft, at least 0.5'),
        overheadClearance: within(0, 100, 'Metres above the air draft; default 0.5'),
        lateralClearance: within(
          0,
          2000,
          'Metres on each side of the path; default the beam, at least 10. Less than half the beam counts as half the beam',
        ),
        shoreDistance: within(
          0,
          50_000,
          'Preferred distance from the shore in metres, kept where there is enough space; default 0',
        ),
        waterLevel: within(
          -15,
          20,
          'Height of the tide above chart datum in metres; default 0. It does not reduce charted clearances; `UNDER_BRIDGE` then warns',
        ),
        allowUnknownDepth: yesNo(
          'Whether the route may cross water of unknown depth, with a warning; default false',
        ),
      }),
    ).describe('Safety margins'),
    options: optional(
      z.object({
        avoidAreas: optional(avoidAreasSchema).describe(
          `Areas that the route must avoid, as GeoJSON with at most ${MAX_AVOID_CORNERS} positions`,
        ),
        avoid: optional(
          z
            .array(z.enum(AVOID_KINDS))
            .max(AVOID_KINDS.length)
            .describe(
              'Kinds of areas to avoid; default `areasToBeAvoided`. The route never enters areas where entry is prohibited. `restricted` includes areas to be avoided. If the route crosses an area, a warning lists its restrictions',
            ),
        ),
        canals: optional(
          z
            .array(z.enum(CANALS))
            .max(CANALS.length)
            .describe(
              'Canals that the route may use outside charted areas; default none. A canal that is too small for the vessel is refused; the warning `PASSAGE` lists limits that were not checked',
            ),
        ),
        preferFairways: yesNo('Whether fairways are preferred; default true'),
        followTss: yesNo(
          'Whether the route follows the direction of traffic lanes and one-way fairways, as long as the search stays within its limit; default true',
        ),
        optimize: optional(z.enum(['distance', 'safety'])).describe(
          'What the route minimizes first: its length, or the distance sailed close to dangers; default `distance`',
        ),
        departureTime: optional(z.number().int().min(0).max(LAST_DEPARTURE_MS)).describe(
          'Epoch milliseconds; with `vessel.speed` the response has times of arrival',
        ),
        maxSnapDistance: within(
          0,
          5000,
          'Maximum distance in metres by which a waypoint may be moved to safe water; default 0',
        ),
        latitudeLimits: optional(
          z
            .tuple([z.number().min(-90).max(90), z.number().min(-90).max(90)])
            .refine(
              ([south, north]) => south < north,
              'must be [south, north] with south below north',
            ),
        ).describe(
          '[south, north], degrees, extended to the waypoints; default [-66, 72] because of ice',
        ),
        continuousLongitudes: yesNo(
          'Whether longitudes continue beyond 180 instead of wrapping; default false',
        ),
        include: optional(z.array(z.enum(ROUTE_EXTRAS)).max(ROUTE_EXTRAS.length)).describe(
          'Parts of the response to add: `geojson`, `gpx`; default none. `legs` and `warnings` are always present',
        ),
      }),
    ).describe('Other options'),
    draft,
    airDraft,
    turningRadius,
    maxTurnAngle,
  })
  .meta({ id: 'RouteRequest', description: 'Waypoints, vessel, safety margins and options' });

type RouteBody = z.infer<typeof routeBodySchema>;

/** A parsed request. */
export interface RouteRequest {
  readonly trip: Trip;
  /** Paths of missing fields that matter, such as `vessel.draft`. */
  readonly assumed: readonly string[];
  /** Paths of unknown fields, such as `vessel.drafft`, which have no effect. */
  readonly ignored: readonly string[];
  /** Epoch milliseconds. */
  readonly departureTime: number | undefined;
  readonly continuousLongitudes: boolean;
  readonly include: ReadonlySet<RouteExtra>;
}

export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Parses a body or returns all its faults. */
export function readRouteRequest(
  body: Readonly<Record<string, unknown>>,
  maxWaypoints: number,
): { readonly request: RouteRequest } | { readonly faults: readonly Fault[] } {
  const { waypoints } = body;
  if (Array.isArray(waypoints) && waypoints.length > maxWaypoints) {
    // Check the number before the contents.
    return {
      faults: [{ path: 'waypoints', message: `must have at most ${maxWaypoints} entries` }],
    };
  }
  const parsed = examine(routeBodySchema, body);
  if (!parsed.success) {
    return { faults: faultsOf(parsed.error) };
  }
  const contradictions = contradictionsIn(parsed.data);
  return contradictions.length > 0
    ? { faults: contradictions }
    : { request: { ...requestOf(parsed.data), ignored: unknownFields(body) } };
}

const ALIASES = ['draft', 'airDraft', 'turningRadius', 'maxTurnAngle'] as const;

/** Two different drafts contradict each other. */
function contradictionsIn(body: RouteBody): Fault[] {
  return ALIASES.flatMap((name) => {
    const [flat, inVessel] = [body[name] ?? undefined, body.vessel?.[name] ?? undefined];
    const isSame = flat === undefined || inVessel === undefined || flat === inVessel;
    return isSame
      ? []
      : [{ path: name, message: `must equal vessel.${name}; send only one of them` }];
  });
}

const MAX_LISTED_IGNORED = 20;
const MAX_PATH_CHARACTERS = 60;

/** Paths of unknown fields at both levels. */
function unknownFields(body: Readonly<Record<string, unknown>>): string[] {
  const { shape } = routeBodySchema;
  const parts = ['vessel', 'safety', 'options'] as const;
  const topLevel = Object.keys(body).filter((key) => !Object.hasOwn(shape, key));
  const inner = parts.flatMap((part) => {
    const known = shape[part].unwrap().unwrap().shape;
    return Object.keys((body[part] as object | null | undefined) ?? {})
      .filter((key) => !Object.hasOwn(known, key))
      .map((key) => `${part}.${key}`);
  });
  return [...topLevel, ...inner]
    .slice(0, MAX_LISTED_IGNORED)
    .map((path) => path.slice(0, MAX_PATH_CHARACTERS));
}

function requestOf(body: RouteBody): Omit<RouteRequest, 'ignored'> {
  const { vessel, safety, options } = body;
  const givenValue = (name: (typeof ALIASES)[number]) => vessel?.[name] ?? body[name] ?? undefined;
  const assumed: string[] = [];
  /** The value, or its default, whose path is added to the list. */
  const orElse = <T>(path: string, value: T | null | undefined, otherwise: T): T => {
    if (value !== null && value !== undefined) return value;
    assumed.push(path);
    return otherwise;
  };
  const draftMeters = orElse('vessel.draft', givenValue('draft'), 0);
  const airDraftMeters = orElse('vessel.airDraft', givenValue('airDraft'), undefined);
  const beam = orElse('vessel.beam', vessel?.beam, 0);
  const keel = Math.max(MIN_UNDER_KEEL_METERS, KEEL_SHARE * draftMeters);
  const waypoints = body.waypoints.map(([latitude, longitude]) => [longitude, latitude] as const);
  const latitudes = waypoints.map(([, latitude]) => latitude);
  const trip: Trip = {
    waypoints,
    vessel: {
      draft: draftMeters,
      airDraft: airDraftMeters,
      beam,
      length: vessel?.length ?? 0,
      speed: vessel?.speed ?? undefined,
      turningRadius: givenValue('turningRadius') ?? 0,
      maxTurnAngle: givenValue('maxTurnAngle') ?? 180,
    },
    safety: {
      underKeelClearance: orElse('safety.underKeelClearance', safety?.underKeelClearance, keel),
      overheadClearance: orElse(
        'safety.overheadClearance',
        safety?.overheadClearance,
        OVERHEAD_METERS,
      ),
      lateralClearance: orElse(
        'safety.lateralClearance',
        safety?.lateralClearance,
        Math.max(beam, MIN_LATERAL_METERS),
      ),
      shoreDistance: safety?.shoreDistance ?? 0,
      waterLevel: orElse('safety.waterLevel', safety?.waterLevel, 0),
      allowUnknownDepth: orElse('safety.allowUnknownDepth', safety?.allowUnknownDepth, false),
    },
    options: {
      avoidAreas: avoidRings(options?.avoidAreas),
      avoid: new Set<AvoidKind>(orElse('options.avoid', options?.avoid, ['areasToBeAvoided'])),
      canals: new Set<Canal>(options?.canals ?? []),
      preferFairways: options?.preferFairways ?? true,
      followTss: options?.followTss ?? true,
      optimize: options?.optimize ?? 'distance',
      maxSnapDistance: options?.maxSnapDistance ?? 0,
      latitudeLimits: extended(
        orElse('options.latitudeLimits', options?.latitudeLimits, limitsAround(latitudes)),
        latitudes,
      ),
    },
  };
  return {
    trip,
    assumed,
    departureTime: options?.departureTime ?? undefined,
    continuousLongitudes: options?.continuousLongitudes ?? false,
    include: new Set(options?.include ?? []),
  };
}

/** Limits that leave room for the way out of a harbour beyond them. */
function extended(
  [south, north]: readonly [number, number],
  latitudes: readonly number[],
): [number, number] {
  const [least, most] = [Math.min(...latitudes), Math.max(...latitudes)];
  return [
    least < south ? Math.max(-90, least - MARGIN_DEGREES) : south,
    most > north ? Math.min(90, most + MARGIN_DEGREES) : north,
  ];
}

function limitsAround(latitudes: readonly number[]): [number, number] {
  return [
    Math.max(-90, Math.min(ICE_FREE[0], ...latitudes.map((one) => one - MARGIN_DEGREES))),
    Math.min(90, Math.max(ICE_FREE[1], ...latitudes.map((one) => one + MARGIN_DEGREES))),
  ];
}
