// Bindings and settings of the Worker, parsed once per isolate. A bad setting falls back to its
// default, is logged, and turns /readyz red: a typing error must not stop the charts.

import type { Exposure } from '../../shared/contract/user-report.ts';
import { LIFETIMES_MS, REPORT_KINDS, type ReportKind } from '../../shared/reports/report.ts';
import type { Observer } from './observe.ts';

export interface Env {
  readonly TILES: R2Bucket;
  readonly KV?: KVNamespace;
  readonly ASSETS?: Fetcher;
  /** JSON Web Key Set of the public keys that tokens are verified with. */
  readonly TOKEN_KEYS?: string;
  /** The database, with the login of the service; without it saved styles and the like are 503. */
  readonly DATABASE_URL?: string;
  /** Host and port of the door before a database that is not Neon's. */
  readonly DATABASE_DOOR?: string;
  /** Shared secret for HS256 tokens; for self-hosting only. */
  readonly TOKEN_SECRET?: string;
  /** How often a token may read from one address, and write; no limit where they are absent. */
  readonly LIMIT_READS?: RateLimit;
  readonly LIMIT_WRITES?: RateLimit;
  /** Counters of this process; only where the service runs on a machine of one's own. */
  readonly OBSERVER?: Observer;
  /** The platform's data set of requests, where one is bound. */
  readonly ANALYTICS?: AnalyticsEngineDataset;
  /** Settings read by whoever made this environment that could not be read. */
  readonly SETTING_FAULTS?: readonly string[];
  readonly [setting: string]: unknown;
}

export interface Settings {
  readonly geojsonMinZoom: number;
  readonly shorelineBody: 'collection' | 'geometry';
  readonly enterpriseGate: boolean;
  readonly routingGate: boolean;
  readonly attributionsAuth: 'optional' | 'required';
  readonly emptyTileStatus: 200 | 204;
  readonly strictContentType: boolean;
  readonly tileMaxAgeSeconds: number;
  /** Who paints raster tiles: our own painter, or resvg, which is slower. */
  readonly rasterPainter: 'direct' | 'resvg';
  /** Larger circles are searched as far as this. */
  readonly queryMaxRadiusMeters: number;
  /** Zoom of a feature query that names none. */
  readonly queryDefaultZoom: number;
  /** Most waypoints of a route. */
  readonly routingMaxWaypoints: number;
  /** Soundings further apart in time are of different tracks. */
  readonly trackGapMs: number;
  readonly maxSoundingsPerRequest: number;
  /** Of a track's points as canonical JSON. */
  readonly maxTrackBytes: number;
  readonly maxSoundingsBodyBytes: number;
  readonly maxDepthMeters: number;
  /** Soundings before it, epoch milliseconds, are refused. */
  readonly minTime: number;
  /** How far a logger's clock may be ahead. */
  readonly maxFutureMs: number;
  /** What exports say of this service, by the words of the IHO's guideline B-12. */
  readonly csbNode: {
    /** Prefix of the vessels' names. */
    readonly id: string;
    readonly name: string | undefined;
    readonly email: string | undefined;
    readonly dataLicense: string | undefined;
  };
  /** Template of the deployment's own imagery for showSatellite. */
  readonly satelliteTileUrl: string | undefined;
  /** Lists of reports, and the source of reports on maps, are served. */
  readonly reportsListing: boolean;
  /** How long a report lasts unless votes confirm it, milliseconds. */
  readonly reportLifetimesMs: Readonly<Record<ReportKind, number>>;
  /** So many more downvotes than upvotes end a report; 0 for never. */
  readonly expireNetInvalid: number;
  readonly allowSelfVote: boolean;
  /** Who sees the external user id of a report. */
  readonly exposeExternalUserId: Exposure;
  readonly reportMaxBodyBytes: number;
  readonly reportMaxPropertiesBytes: number;
  /** Requests are counted per token and day, where there is a database. */
  readonly usageCounting: boolean;
  /** How long counts are gathered before the database is told. */
  readonly usageFlushMs: number;
  /** How long an isolate goes by a list of stopped tokens before it looks for a newer one. */
  readonly revocationRefreshMs: number;
  /** Requests of a token and address a minute, where the service itself counts them; 0 for any. */
  readonly rateLimitReads: number;
  readonly rateLimitWrites: number;
  /** Size of the cache of tiles where there is no platform's. */
  readonly cacheMegabytes: number;
  /** Settings that could not be read, by name. */
  readonly faults: readonly string[];
}

/** The two coherent readings of the contract; single settings override either. */
const PROFILES = {
  base: { geojsonMinZoom: 10, shorelineBody: 'collection', enterpriseGate: false },
  enterprise: { geojsonMinZoom: 12, shorelineBody: 'geometry', enterpriseGate: true },
} as const;

const parsed = new WeakMap<object, Settings>();

/** The settings of an environment, parsed the first time. */
export function settingsOf(env: Env): Settings {
  let settings = parsed.get(env);
  if (settings === undefined) {
    settings = readSettings(env);
    parsed.set(env, settings);
  }
  return settings;
}

export function readSettings(env: Readonly<Record<string, unknown>>): Settings {
  const made = env['SETTING_FAULTS'];
  const faults: string[] = Array.isArray(made) ? made.map(String) : [];
  const text = (name: string): string | undefined => {
    const value = env[name];
    return value === undefined || value === '' ? undefined : String(value);
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T => {
    const value = text(name);
    if (value === undefined) return otherwise;
    const found = allowed.find((choice) => choice === value);
    if (found === undefined) faults.push(name);
    return found ?? otherwise;
  };
  const onOff = (name: string, otherwise: boolean): boolean =>
    oneOf(name, ['on', 'off', 'true', 'false', '1', '0'], otherwise ? 'on' : 'off').match(
      /^(on|true|1)$/,
    ) !== null;
  const whole = (name: string, otherwise: number, least: number, most: number): number => {
    const value = text(name);
    if (value === undefined) return otherwise;
    const number = Number(value);
    if (/^\d{1,15}$/.test(value) && number >= least && number <= most) return number;
    faults.push(name);
    return otherwise;
  };
  const lifetimes = (name: string): Settings['reportLifetimesMs'] => {
    const given = lifetimesOf(text(name) ?? '{}');
    if (given === undefined) faults.push(name);
    return { ...LIFETIMES_MS, ...given };
  };
  const matching = (name: string, pattern: RegExp): string | undefined => {
    const value = text(name);
    if (value === undefined || pattern.test(value)) return value;
    faults.push(name);
    return undefined;
  };
  /** The contract's own spelling wins over the one that environments usually have. */
  const either = (name: string, usual: string): string => (text(name) === undefined ? usual : name);
  const profile = PROFILES[oneOf('CONTRACT_PROFILE', ['base', 'enterprise'], 'base')];
  return {
    geojsonMinZoom: whole('GEOJSON_MIN_ZOOM', profile.geojsonMinZoom, 10, 22),
    shorelineBody: oneOf('SHORELINE_BODY', ['collection', 'geometry'], profile.shorelineBody),
    enterpriseGate: onOff('ENTERPRISE_GATE', profile.enterpriseGate),
    routingGate: onOff('ROUTING_GATE', true),
    attributionsAuth: oneOf('ATTRIBUTIONS_AUTH', ['optional', 'required'], 'optional'),
    emptyTileStatus: oneOf('EMPTY_TILE_STATUS', ['200', '204'], '200') === '204' ? 204 : 200,
    strictContentType: onOff('STRICT_CONTENT_TYPE', false),
    queryMaxRadiusMeters: whole('QUERY_MAX_RADIUS_METERS', 20_000, 0, 100_000),
    queryDefaultZoom: whole('QUERY_DEFAULT_ZOOM', 16, 0, 16),
    routingMaxWaypoints: whole('ROUTING_MAX_WAYPOINTS', 25, 2, 100),
    tileMaxAgeSeconds: whole('TILE_MAX_AGE_SECONDS', 86_400, 0, 31_536_000),
    trackGapMs: whole(either('trackGapMs', 'TRACK_GAP_MS'), 300_000, 0, 604_800_000),
    maxSoundingsPerRequest: whole(
      either('maxSoundingsPerRequest', 'MAX_SOUNDINGS_PER_REQUEST'),
      50_000,
      1,
      200_000,
    ),
    maxTrackBytes: whole(either('maxTrackBytes', 'MAX_TRACK_BYTES'), 262_144, 1, 67_108_864),
    maxSoundingsBodyBytes: whole('MAX_SOUNDINGS_BODY_BYTES', 16_777_216, 1024, 67_108_864),
    maxDepthMeters: whole('MAX_DEPTH_METERS', 12_000, 1, 100_000),
    minTime: whole('MIN_TIME', 0, 0, 8_640_000_000_000),
    maxFutureMs: whole('MAX_FUTURE_MS', 86_400_000, 0, 3_153_600_000_000),
    csbNode: {
      id: matching('CSB_NODE_ID', /^[a-zA-Z][a-zA-Z0-9]{0,31}$/) ?? 'LEADLINE',
      name: text('CSB_PROVIDER_NAME'),
      email: matching('CSB_PROVIDER_EMAIL', /^[\w.%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}$/),
      dataLicense: text('CSB_DATA_LICENSE'),
    },
    rasterPainter: oneOf('RASTER_PAINTER', ['direct', 'resvg'], 'direct'),
    reportsListing: onOff('REPORTS_LISTING', true),
    reportLifetimesMs: lifetimes('EXPIRY_JSON'),
    expireNetInvalid: whole('EXPIRE_NET_INVALID', 0, 0, 1_000_000),
    allowSelfVote: onOff('ALLOW_SELF_VOTE', true),
    exposeExternalUserId: oneOf(
      'EXPOSE_EXTERNAL_USER_ID',
      ['account', 'owner', 'always'],
      'account',
    ),
    reportMaxBodyBytes: whole('REPORT_MAX_BODY_BYTES', 65_536, 1024, 1_048_576),
    reportMaxPropertiesBytes: whole('REPORT_MAX_PROPERTIES_BYTES', 16_384, 1024, 1_048_576),
    satelliteTileUrl: text('SATELLITE_TILE_URL'),
    usageCounting: onOff('USAGE_COUNTING', true),
    usageFlushMs: whole('USAGE_FLUSH_MS', 10_000, 0, 25_000),
    revocationRefreshMs: whole('REVOCATION_REFRESH_MS', 30_000, 0, 60_000),
    rateLimitReads: whole('RATE_LIMIT_READS', 6000, 0, 1_000_000_000),
    rateLimitWrites: whole('RATE_LIMIT_WRITES', 300, 0, 1_000_000_000),
    cacheMegabytes: whole('CACHE_MEGABYTES', 128, 1, 65_536),
    faults,
  };
}

const MAX_LIFETIME_MS = 10 * 365 * 86_400_000;

/** Lifetimes by kind, from JSON; undefined for anything but whole milliseconds of known kinds. */
function lifetimesOf(json: string): Partial<Settings['reportLifetimesMs']> | undefined {
  try {
    const given = JSON.parse(json) as unknown;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
    const isSound = Object.entries(given).every(
      ([kind, ms]) =>
        REPORT_KINDS.some((known) => known === kind) &&
        Number.isInteger(ms) &&
        ms > 0 &&
        ms <= MAX_LIFETIME_MS,
    );
    return isSound ? (given as Partial<Settings['reportLifetimesMs']>) : undefined;
  } catch {
    return undefined;
  }
}
