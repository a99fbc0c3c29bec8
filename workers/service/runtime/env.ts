// Bindings and settings of the Worker, parsed once per isolate. An invalid setting is logged, falls
// back to its default and makes /readyz return 503: a typing error must not stop the charts.

import type { Plan } from '../../../shared/contract/scopes.ts';
import type { Exposure } from '../../../shared/contract/user-report.ts';
import type { ReportKind } from '../../../shared/reports/report.ts';
import { logFault } from './log.ts';
import type { Observer } from './observer.ts';
import {
  invalidSetting,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
} from './setting-table.ts';

export interface Env {
  readonly TILES: R2Bucket;
  readonly KV?: KVNamespace;
  readonly ASSETS?: Fetcher;
  /**
   * Compressed copies of the assets; not bound on Cloudflare, which compresses responses itself.
   */
  readonly PACKED?: Fetcher;
  /** The Worker for routes and soundings; without it this Worker handles them. */
  readonly HEAVY_WORK?: Fetcher;
  /** JSON Web Key Set of the public keys for verifying tokens. */
  readonly TOKEN_KEYS?: string;
  /** Secret for signing tokens of end users; without it the service issues none. */
  readonly USER_TOKEN_SECRET?: string;
  /**
   * Connection URL with the login of the service; without it, endpoints that need the database
   * return 503.
   */
  readonly DATABASE_URL?: string;
  /** Host and port of the HTTP proxy in front of a database that is not hosted by Neon. */
  readonly DATABASE_PROXY?: string;
  /** Shared secret for HS256 tokens; for self-hosting only. */
  readonly TOKEN_SECRET?: string;
  /** The platform's rate limiters; without them this process counts requests. */
  readonly LIMIT_READS?: RateLimit;
  readonly LIMIT_WRITES?: RateLimit;
  readonly LIMIT_HEAVY?: RateLimit;
  readonly LIMIT_REFUSALS?: RateLimit;
  readonly LIMIT_USERS?: RateLimit;
  /** Metrics of this process; only when self-hosted. */
  readonly OBSERVER?: Observer;
  /** Analytics Engine data set for requests. */
  readonly ANALYTICS?: AnalyticsEngineDataset;
  /** Names of invalid settings that the host process found before it started the Worker. */
  readonly SETTING_FAULTS?: readonly string[];
  readonly [setting: string]: unknown;
}

export interface Settings {
  readonly geojsonMinZoom: number;
  readonly shorelineBody: 'collection' | 'geometry';
  readonly enterpriseGate: boolean;
  readonly routingGate: boolean;
  readonly attributionsAuth: 'optional' | 'required';
  /** Administrator tokens are accepted in the query as well as in the header. */
  readonly adminTokenInQuery: boolean;
  readonly emptyTileStatus: 200 | 204;
  readonly strictContentType: boolean;
  readonly tileMaxAgeSeconds: number;
  /** Renderer of raster tiles: the built-in one, or resvg, which is slower. */
  readonly rasterPainter: 'direct' | 'resvg';
  /** Larger radii are reduced to it. */
  readonly queryMaxRadiusMeters: number;
  /** Zoom of a feature query without `zoom`. */
  readonly queryDefaultZoom: number;
  readonly routingMaxWaypoints: number;
  /** Time between two soundings after which a new track begins. */
  readonly trackGapMs: number;
  readonly maxSoundingsPerRequest: number;
  /** Size of a track's points as canonical JSON. */
  readonly maxTrackBytes: number;
  readonly maxSoundingsBodyBytes: number;
  /** Negative for drying heights. */
  readonly minDepthMeters: number;
  readonly maxDepthMeters: number;
  /** Earliest time of a sounding, epoch milliseconds. */
  readonly minTime: number;
  /** How far the time of a sounding may be in the future. */
  readonly maxFutureMs: number;
  /** Description of this service in exported tracks (IHO B-12). */
  readonly csbNode: {
    /** Prefix of vessel ids. */
    readonly id: string;
    readonly name: string | undefined;
    readonly email: string | undefined;
    readonly dataLicense: string | undefined;
  };
  /** URL template of imagery for showSatellite. */
  readonly satelliteTileUrl: string | undefined;
  /** Whether lists of reports are served, which maps with showUserReports need. */
  readonly reportsListing: boolean;
  /** Lifetime of a report that no vote confirms, milliseconds. */
  readonly reportLifetimesMs: Readonly<Record<ReportKind, number>>;
  /** Number of downvotes in excess of upvotes that ends a report; 0 to never end it. */
  readonly expireNetInvalid: number;
  readonly allowSelfVote: boolean;
  /** Who can read the external user id of a report. */
  readonly exposeExternalUserId: Exposure;
  readonly reportMaxBodyBytes: number;
  readonly reportMaxPropertiesBytes: number;
  /** Whether requests are counted by token and day if there is a database. */
  /** Text of a public token for the landing page. */
  readonly demoToken: string | undefined;
  readonly usageCounting: boolean;
  /** Interval for writing request counts to the database. */
  readonly usageFlushMs: number;
  /** Interval for refreshing the list of revoked tokens. */
  readonly revocationRefreshMs: number;
  /** Requests per minute; 0 for no limit. */
  readonly rateLimits: {
    /** For each token and client address. */
    readonly reads: number;
    readonly writes: number;
    /** Routes, region deltas and large uploads, for each token. */
    readonly heavy: number;
    /** Responses with status 401, for each client address. */
    readonly refusals: number;
    /** New tokens of end users, for each public token and client address. */
    readonly users: number;
  };
  /** Maximum size of a region file by plan, in bytes. */
  readonly regionMaxBytes: Readonly<Record<Plan, number>>;
  /** Names of invalid settings. */
  readonly faults: readonly string[];
}

/** Defaults by contract profile. */
const PROFILES = {
  base: { geojsonMinZoom: 10, shorelineBody: 'collection', enterpriseGate: false },
  enterprise: { geojsonMinZoom: 12, shorelineBody: 'geometry', enterpriseGate: true },
} as const;

const parsed = new WeakMap<object, Settings>();

/** The settings of an environment, parsed at the first call. */
export function settingsOf(env: Env): Settings {
  let settings = parsed.get(env);
  if (settings === undefined) {
    settings = readSettings(env);
    parsed.set(env, settings);
    for (const name of settings.faults) logFault('settings', new Error(invalidSetting(name)));
  }
  return settings;
}

/** A setting that may have no default. */
type Given<N extends SettingName> = SettingValue<N> | undefined;

/** The text of a setting, and its name or alias that has it; without a text if neither is set. */
export function givenSetting(
  env: Readonly<Record<string, unknown>>,
  name: SettingName,
): { readonly used: string; readonly text: string | undefined } {
  const { alias = name } = SETTINGS[name] as Setting<unknown>;
  const used = [name, alias].find((one) => env[one] !== undefined && env[one] !== '');
  return { used: used ?? name, text: used === undefined ? undefined : String(env[used]) };
}

export function readSettings(env: Readonly<Record<string, unknown>>): Settings {
  const hostFaults = env['SETTING_FAULTS'];
  const faults: string[] = Array.isArray(hostFaults) ? hostFaults.map(String) : [];
  const optional = <N extends SettingName>(name: N): Given<N> => {
    const setting = SETTINGS[name] as unknown as Setting<SettingValue<N>>;
    const { used, text } = givenSetting(env, name);
    const value = text === undefined ? undefined : setting.read(text);
    if (text !== undefined && value === undefined) faults.push(used);
    return value ?? setting.defaultValue;
  };
  /** A setting with a default. */
  const withDefault = <N extends SettingName>(name: N): SettingValue<N> =>
    optional(name) as SettingValue<N>;
  const profile = PROFILES[withDefault('CONTRACT_PROFILE')];
  return {
    geojsonMinZoom: optional('GEOJSON_MIN_ZOOM') ?? profile.geojsonMinZoom,
    shorelineBody: optional('SHORELINE_BODY') ?? profile.shorelineBody,
    enterpriseGate: optional('ENTERPRISE_GATE') ?? profile.enterpriseGate,
    routingGate: withDefault('ROUTING_GATE'),
    attributionsAuth: withDefault('ATTRIBUTIONS_AUTH'),
    adminTokenInQuery: withDefault('ADMIN_TOKEN_IN_QUERY'),
    emptyTileStatus: withDefault('EMPTY_TILE_STATUS') === '204' ? 204 : 200,
    strictContentType: withDefault('STRICT_CONTENT_TYPE'),
    queryMaxRadiusMeters: withDefault('QUERY_MAX_RADIUS_METERS'),
    queryDefaultZoom: withDefault('QUERY_DEFAULT_ZOOM'),
    routingMaxWaypoints: withDefault('ROUTING_MAX_WAYPOINTS'),
    tileMaxAgeSeconds: withDefault('TILE_MAX_AGE_SECONDS'),
    trackGapMs: withDefault('trackGapMs'),
    maxSoundingsPerRequest: withDefault('maxSoundingsPerRequest'),
    maxTrackBytes: withDefault('maxTrackBytes'),
    maxSoundingsBodyBytes: withDefault('MAX_SOUNDINGS_BODY_BYTES'),
    minDepthMeters: withDefault('MIN_DEPTH_METERS'),
    maxDepthMeters: withDefault('MAX_DEPTH_METERS'),
    minTime: withDefault('MIN_TIME'),
    maxFutureMs: withDefault('MAX_FUTURE_MS'),
    csbNode: {
      id: withDefault('CSB_NODE_ID'),
      name: optional('CSB_PROVIDER_NAME'),
      email: optional('CSB_PROVIDER_EMAIL'),
      dataLicense: optional('CSB_DATA_LICENSE'),
    },
    rasterPainter: withDefault('RASTER_PAINTER'),
    reportsListing: withDefault('REPORTS_LISTING'),
    reportLifetimesMs: withDefault('EXPIRY_JSON'),
    expireNetInvalid: withDefault('EXPIRE_NET_INVALID'),
    allowSelfVote: withDefault('ALLOW_SELF_VOTE'),
    exposeExternalUserId: withDefault('EXPOSE_EXTERNAL_USER_ID'),
    reportMaxBodyBytes: withDefault('REPORT_MAX_BODY_BYTES'),
    reportMaxPropertiesBytes: withDefault('REPORT_MAX_PROPERTIES_BYTES'),
    satelliteTileUrl: optional('SATELLITE_TILE_URL'),
    demoToken: optional('DEMO_TOKEN'),
    usageCounting: withDefault('USAGE_COUNTING'),
    usageFlushMs: withDefault('USAGE_FLUSH_MS'),
    revocationRefreshMs: withDefault('REVOCATION_REFRESH_MS'),
    regionMaxBytes: {
      standard: withDefault('REGION_MAX_BYTES'),
      enterprise: withDefault('REGION_MAX_BYTES_ENTERPRISE'),
    },
    rateLimits: {
      reads: withDefault('RATE_LIMIT_READS'),
      writes: withDefault('RATE_LIMIT_WRITES'),
      heavy: withDefault('RATE_LIMIT_HEAVY'),
      refusals: withDefault('RATE_LIMIT_REFUSALS'),
      users: withDefault('RATE_LIMIT_USERS'),
    },
    faults,
  };
}
