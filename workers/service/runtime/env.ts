// Bindings and settings of the Worker, parsed once per isolate. A bad setting falls back to its
// default, is logged, and turns /readyz red: a typing error must not stop the charts.

import type { Plan } from '../../../shared/contract/scopes.ts';
import type { Exposure } from '../../../shared/contract/user-report.ts';
import type { ReportKind } from '../../../shared/reports/report.ts';
import { logFault } from './log.ts';
import type { Observer } from './observe.ts';
import { SETTINGS, type Setting, type SettingName, type SettingValue } from './setting-table.ts';

export interface Env {
  readonly TILES: R2Bucket;
  readonly KV?: KVNamespace;
  readonly ASSETS?: Fetcher;
  /** Compressed copies of the assets; the platform's edge compresses by itself and has none. */
  readonly PACKED?: Fetcher;
  /** The Worker for routes and soundings; where it is absent this one does them. */
  readonly HEAVY_WORK?: Fetcher;
  /** JSON Web Key Set of the public keys that tokens are verified with. */
  readonly TOKEN_KEYS?: string;
  /** Secret that tokens of end users are signed with; without it none are given. */
  readonly USER_TOKEN_SECRET?: string;
  /** The database, with the login of the service; without it saved styles and the like are 503. */
  readonly DATABASE_URL?: string;
  /** Host and port of the proxy before a database that is not Neon's. */
  readonly DATABASE_PROXY?: string;
  /** Shared secret for HS256 tokens; for self-hosting only. */
  readonly TOKEN_SECRET?: string;
  /** The platform's counters of requests; where they are absent this process counts. */
  readonly LIMIT_READS?: RateLimit;
  readonly LIMIT_WRITES?: RateLimit;
  readonly LIMIT_HEAVY?: RateLimit;
  readonly LIMIT_REFUSALS?: RateLimit;
  readonly LIMIT_USERS?: RateLimit;
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
  /** Administration is taken from tokens in the query as well as in the header. */
  readonly adminTokenInQuery: boolean;
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
  /** Negative for what dries. */
  readonly minDepthMeters: number;
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
  /** Most requests a minute; 0 for no limit. */
  readonly rateLimits: {
    /** Of a token from one address. */
    readonly reads: number;
    readonly writes: number;
    /** Routes of a token, and large uploads of it. */
    readonly heavy: number;
    /** Requests from one address that are refused for their token. */
    readonly refusals: number;
    /** Tokens of end users that a public token is given from one address. */
    readonly users: number;
  };
  /** Largest file of a region by plan, in bytes. */
  readonly regionMaxBytes: Readonly<Record<Plan, number>>;
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
    // Only the names: a value may be a secret in the wrong place.
    for (const name of settings.faults) {
      logFault('settings', new Error(`${name} is not understood; its default is used`));
    }
  }
  return settings;
}

/** What a setting is where a deployment may leave it to the profile, or have none. */
type Given<N extends SettingName> = SettingValue<N> | undefined;

export function readSettings(env: Readonly<Record<string, unknown>>): Settings {
  const made = env['SETTING_FAULTS'];
  const faults: string[] = Array.isArray(made) ? made.map(String) : [];
  const textOf = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : env[name];
    return value === undefined || value === '' ? undefined : String(value);
  };
  const given = <N extends SettingName>(name: N): Given<N> => {
    const setting = SETTINGS[name] as unknown as Setting<SettingValue<N>>;
    const used = textOf(name) === undefined && textOf(setting.or) !== undefined ? setting.or : name;
    const text = textOf(used);
    const value = text === undefined ? undefined : setting.read(text);
    if (text !== undefined && value === undefined) faults.push(used as string);
    return value ?? setting.otherwise;
  };
  /** Of a setting that the table has a value for. */
  const sure = <N extends SettingName>(name: N): SettingValue<N> => given(name) as SettingValue<N>;
  const profile = PROFILES[sure('CONTRACT_PROFILE')];
  return {
    geojsonMinZoom: given('GEOJSON_MIN_ZOOM') ?? profile.geojsonMinZoom,
    shorelineBody: given('SHORELINE_BODY') ?? profile.shorelineBody,
    enterpriseGate: given('ENTERPRISE_GATE') ?? profile.enterpriseGate,
    routingGate: sure('ROUTING_GATE'),
    attributionsAuth: sure('ATTRIBUTIONS_AUTH'),
    adminTokenInQuery: sure('ADMIN_TOKEN_IN_QUERY'),
    emptyTileStatus: sure('EMPTY_TILE_STATUS') === '204' ? 204 : 200,
    strictContentType: sure('STRICT_CONTENT_TYPE'),
    queryMaxRadiusMeters: sure('QUERY_MAX_RADIUS_METERS'),
    queryDefaultZoom: sure('QUERY_DEFAULT_ZOOM'),
    routingMaxWaypoints: sure('ROUTING_MAX_WAYPOINTS'),
    tileMaxAgeSeconds: sure('TILE_MAX_AGE_SECONDS'),
    trackGapMs: sure('trackGapMs'),
    maxSoundingsPerRequest: sure('maxSoundingsPerRequest'),
    maxTrackBytes: sure('maxTrackBytes'),
    maxSoundingsBodyBytes: sure('MAX_SOUNDINGS_BODY_BYTES'),
    minDepthMeters: sure('MIN_DEPTH_METERS'),
    maxDepthMeters: sure('MAX_DEPTH_METERS'),
    minTime: sure('MIN_TIME'),
    maxFutureMs: sure('MAX_FUTURE_MS'),
    csbNode: {
      id: sure('CSB_NODE_ID'),
      name: given('CSB_PROVIDER_NAME'),
      email: given('CSB_PROVIDER_EMAIL'),
      dataLicense: given('CSB_DATA_LICENSE'),
    },
    rasterPainter: sure('RASTER_PAINTER'),
    reportsListing: sure('REPORTS_LISTING'),
    reportLifetimesMs: sure('EXPIRY_JSON'),
    expireNetInvalid: sure('EXPIRE_NET_INVALID'),
    allowSelfVote: sure('ALLOW_SELF_VOTE'),
    exposeExternalUserId: sure('EXPOSE_EXTERNAL_USER_ID'),
    reportMaxBodyBytes: sure('REPORT_MAX_BODY_BYTES'),
    reportMaxPropertiesBytes: sure('REPORT_MAX_PROPERTIES_BYTES'),
    satelliteTileUrl: given('SATELLITE_TILE_URL'),
    usageCounting: sure('USAGE_COUNTING'),
    usageFlushMs: sure('USAGE_FLUSH_MS'),
    revocationRefreshMs: sure('REVOCATION_REFRESH_MS'),
    regionMaxBytes: {
      standard: sure('REGION_MAX_BYTES'),
      enterprise: sure('REGION_MAX_BYTES_ENTERPRISE'),
    },
    rateLimits: {
      reads: sure('RATE_LIMIT_READS'),
      writes: sure('RATE_LIMIT_WRITES'),
      heavy: sure('RATE_LIMIT_HEAVY'),
      refusals: sure('RATE_LIMIT_REFUSALS'),
      users: sure('RATE_LIMIT_USERS'),
    },
    faults,
  };
}
