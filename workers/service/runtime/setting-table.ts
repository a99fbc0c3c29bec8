// Every setting of a deployment with its values, default and purpose. The parser,
// `npm start -- --help` and SETTINGS.md are all made from this table.

import * as z from 'zod';
import { isOpaqueToken } from '../../../shared/contract/opaque-token.ts';
import { isTokenText } from '../../../shared/contract/token-text.ts';
import { IMAGERY_TEMPLATE, isUrlTemplate } from '../../../shared/contract/url-template.ts';
import { LIFETIMES_MS, REPORT_KINDS, type ReportKind } from '../../../shared/reports/report.ts';
import { camelCase } from './camel-case.ts';

export interface Setting<T> {
  /** The accepted values, for people. */
  readonly values: string;
  /** The accepted values with an example, for error messages: `NAME must be …`. */
  readonly expected: string;
  /** `undefined` if there is no default, or if it depends on another setting. */
  readonly defaultValue: T;
  /** The default, for people. */
  readonly default: string;
  readonly description: string;
  /** Second name in the spelling of environment variables; used if the first one is not set. */
  readonly alias?: string;
  /** Whether the value is never shown. */
  readonly isSecret?: boolean;
  /** Parses a value; returns `undefined` if the value is invalid. */
  readonly read: (text: string) => T | undefined;
}

/** The default of settings without one of their own. */
export const BY_PROFILE = 'depends on CONTRACT_PROFILE';

const choice = <const T extends string, Default extends T | undefined>(
  choices: readonly T[],
  defaultValue: Default,
  description: string,
): Setting<T | Default> => ({
  values: choices.join(', '),
  expected: `one of ${choices.join(', ')}, for example ${defaultValue ?? choices[0]}`,
  defaultValue,
  default: defaultValue ?? BY_PROFILE,
  description,
  read: (text) => choices.find((one) => one === text),
});

const ON = ['on', 'true', '1'];
const OFF = ['off', 'false', '0'];

const onOff = <Default extends boolean | undefined>(
  defaultValue: Default,
  description: string,
): Setting<boolean | Default> => ({
  values: 'on, off',
  expected: 'on or off, for example on',
  defaultValue,
  default: defaultValue === undefined ? BY_PROFILE : defaultValue ? 'on' : 'off',
  description,
  read: (text) => (ON.includes(text) ? true : OFF.includes(text) ? false : undefined),
});

const wholeNumber = <Default extends number | undefined>(
  least: number,
  most: number,
  defaultValue: Default,
  description: string,
  alias?: string,
): Setting<number | Default> => ({
  values: `${least} to ${most}`,
  expected: `a whole number from ${least} to ${most}, for example ${defaultValue ?? least}`,
  defaultValue,
  default: defaultValue === undefined ? BY_PROFILE : `${defaultValue}`,
  description,
  ...(alias === undefined ? {} : { alias }),
  read: (text) => {
    const number = Number(text);
    const isValid = /^-?\d{1,15}$/.test(text) && number >= least && number <= most;
    return isValid ? number : undefined;
  },
});

const text = <Default extends string | undefined = undefined>(
  values: string,
  example: string,
  description: string,
  pattern = /^/,
  defaultValue?: Default,
): Setting<string | Default> => ({
  values,
  expected: `${values}, for example ${example}`,
  defaultValue: defaultValue as Default,
  default: defaultValue ?? 'none',
  description,
  read: (given) => (pattern.test(given) ? given : undefined),
});

const secret = <T>(setting: Setting<T>): Setting<T> => ({ ...setting, isSecret: true });

type Lifetimes = Readonly<Record<ReportKind, number>>;

const MAX_LIFETIME_MS = 10 * 365 * 86_400_000;

const lifetimesSchema = z.partialRecord(
  z.enum(REPORT_KINDS),
  z.number().int().positive().max(MAX_LIFETIME_MS),
);

/** Parses lifetimes by kind, in milliseconds; `undefined` if one of them is invalid. */
function lifetimesOf(json: string): Lifetimes | undefined {
  try {
    return { ...LIFETIMES_MS, ...(lifetimesSchema.parse(JSON.parse(json)) as Partial<Lifetimes>) };
  } catch {
    return undefined;
  }
}

const DAY_MS = 86_400_000;

/**
 * If the contract spells a name differently, its spelling is the key and the usual one the alias.
 */
export const SETTINGS = {
  CONTRACT_PROFILE: choice(
    ['base', 'enterprise'],
    'base',
    'defaults for GEOJSON_MIN_ZOOM, SHORELINE_BODY and ENTERPRISE_GATE, which can also be set individually',
  ),
  GEOJSON_MIN_ZOOM: wholeNumber(
    10,
    22,
    undefined,
    'minimum zoom of GeoJSON tiles; 10 in the base profile, 12 in the enterprise profile',
  ),
  SHORELINE_BODY: choice(
    ['collection', 'geometry'],
    undefined,
    'body of shoreline tiles: a FeatureCollection (base profile) or a bare geometry (enterprise profile)',
  ),
  ENTERPRISE_GATE: onOff(
    undefined,
    'restrict GeoJSON and shoreline tiles to tokens of the enterprise plan; off in the base profile, on in the enterprise profile',
  ),
  ROUTING_GATE: onOff(true, 'restrict routing to tokens that may plan routes (`--pilot`)'),
  ROUTING_MAX_WAYPOINTS: wholeNumber(2, 100, 25, 'maximum number of waypoints of a route'),
  ATTRIBUTIONS_AUTH: choice(
    ['optional', 'required'],
    'optional',
    'whether the attributions endpoint requires a token',
  ),
  ADMIN_TOKEN_IN_QUERY: onOff(
    true,
    'accept administrator tokens in the query as well as in the Authorization header',
  ),
  EMPTY_TILE_STATUS: choice(['200', '204'], '200', 'status code of vector tiles without layers'),
  STRICT_CONTENT_TYPE: onOff(false, 'reject bodies without a JSON Content-Type (415)'),
  TILE_MAX_AGE_SECONDS: wholeNumber(
    0,
    31_536_000,
    86_400,
    'max-age of tiles in seconds; that of raster tiles ends at 12:00 UTC at the latest',
  ),
  RASTER_PAINTER: choice(
    ['direct', 'resvg'],
    'direct',
    'renderer of raster tiles: the built-in one, or resvg, which is slower',
  ),
  // Such URLs often contain a key.
  SATELLITE_TILE_URL: secret({
    ...text(
      'an http or https URL without a user and password, with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857}',
      'https://tiles.example/{z}/{x}/{y}.jpg',
      'imagery for showSatellite, instead of the built-in imagery',
    ),
    read: (given) => (isUrlTemplate(given, IMAGERY_TEMPLATE) ? given : undefined),
  }),
  QUERY_MAX_RADIUS_METERS: wholeNumber(
    0,
    100_000,
    20_000,
    'maximum radius of a feature query; larger radii are reduced to it',
  ),
  QUERY_DEFAULT_ZOOM: wholeNumber(0, 16, 16, 'zoom of a feature query without `zoom`'),
  REGION_MAX_BYTES: wholeNumber(
    1_048_576,
    4_294_967_295,
    268_435_456,
    'maximum size of a region file for tokens of the standard plan',
  ),
  REGION_MAX_BYTES_ENTERPRISE: wholeNumber(
    1_048_576,
    4_294_967_295,
    1_073_741_824,
    'maximum size of a region file for tokens of the enterprise plan',
  ),
  RATE_LIMIT_READS: wholeNumber(
    0,
    1_000_000,
    6000,
    'read requests per minute for each token and client address; 0 for no limit. On Cloudflare, wrangler.toml sets this limit and the four below',
  ),
  RATE_LIMIT_WRITES: wholeNumber(
    0,
    1_000_000,
    1200,
    'write and routing requests per minute for each token and client address; 0 for no limit',
  ),
  RATE_LIMIT_HEAVY: wholeNumber(
    0,
    1_000_000,
    240,
    'routes and uploads of more than 64 KiB per minute for each token, and region deltas, GeoTIFF files of depths, and CSV files of depths from more than 16 tiles, for each token and client address; 0 for no limit',
  ),
  RATE_LIMIT_REFUSALS: wholeNumber(
    0,
    1_000_000,
    1000,
    'requests with a missing or rejected token per minute for each client address; above the limit the status is 429; 0 for no limit',
  ),
  RATE_LIMIT_USERS: wholeNumber(
    0,
    1_000_000,
    10,
    'user tokens per minute for each public token and client address, and attempts to sign in for each client address and each user; 0 for no limit',
  ),
  REPORTS_LISTING: onOff(true, 'serve lists of reports, which maps with showUserReports need'),
  EXPIRY_JSON: {
    values: 'a JSON object: milliseconds by kind of report',
    expected: 'a JSON object: milliseconds by kind of report, for example {"hazard":604800000}',
    defaultValue: LIFETIMES_MS,
    default: JSON.stringify(LIFETIMES_MS),
    description:
      'lifetime of a report that no vote confirms; kinds that are not listed keep their default',
    read: lifetimesOf,
  } satisfies Setting<Lifetimes>,
  EXPIRE_NET_INVALID: wholeNumber(
    0,
    1_000_000,
    0,
    'number of downvotes in excess of upvotes that ends a report; 0 to never end it',
  ),
  ALLOW_SELF_VOTE: onOff(true, 'accept votes of users on their own reports'),
  EXPOSE_EXTERNAL_USER_ID: choice(
    ['account', 'owner', 'always'],
    'account',
    'who can read the externalUserId of a report',
  ),
  REPORT_MAX_BODY_BYTES: wholeNumber(
    1024,
    1_048_576,
    65_536,
    'maximum size of a report body in bytes',
  ),
  REPORT_MAX_PROPERTIES_BYTES: wholeNumber(
    1024,
    1_048_576,
    16_384,
    'maximum size of the properties of a report in bytes',
  ),
  USAGE_COUNTING: onOff(true, 'count requests by token and day if there is a database'),
  USAGE_FLUSH_MS: wholeNumber(
    0,
    1_200_000,
    10_000,
    'interval for writing request counts to the database; above 25000 they are written with a later request, which lets the database sleep while only charts are served',
  ),
  REVOCATION_REFRESH_MS: wholeNumber(
    0,
    60_000,
    30_000,
    'interval for refreshing the list of revoked tokens',
  ),
  trackGapMs: wholeNumber(
    0,
    7 * DAY_MS,
    300_000,
    'time between two soundings after which a new track begins',
    'TRACK_GAP_MS',
  ),
  maxSoundingsPerRequest: wholeNumber(
    1,
    200_000,
    50_000,
    'maximum number of soundings in a request; more than 50,000 also need a larger MAX_SOUNDINGS_BODY_BYTES',
    'MAX_SOUNDINGS_PER_REQUEST',
  ),
  maxTrackBytes: wholeNumber(
    1,
    67_108_864,
    262_144,
    'maximum size of a track: its points as JSON',
    'MAX_TRACK_BYTES',
  ),
  MAX_SOUNDINGS_BODY_BYTES: wholeNumber(
    1024,
    67_108_864,
    16_777_216,
    'maximum size of a body of soundings in bytes',
  ),
  MIN_DEPTH_METERS: wholeNumber(
    -1000,
    0,
    -20,
    'minimum depth of a sounding; drying heights, which lie above the datum, are negative',
  ),
  MAX_DEPTH_METERS: wholeNumber(1, 100_000, 12_000, 'maximum depth of a sounding'),
  MIN_TIME: wholeNumber(
    0,
    8_640_000_000_000,
    0,
    'earliest time of a sounding in epoch milliseconds',
  ),
  MAX_FUTURE_MS: wholeNumber(
    0,
    36_500 * DAY_MS,
    DAY_MS,
    'how far the time of a sounding may be in the future',
  ),
  CSB_NODE_ID: text(
    'a letter, then letters and digits, at most 32',
    'LEADLINE',
    'prefix of vessel ids in exported tracks (IHO B-12)',
    /^[a-zA-Z][a-zA-Z0-9]{0,31}$/,
    'LEADLINE',
  ),
  CSB_PROVIDER_NAME: text(
    'text',
    'Example Hydrography',
    'name of the data provider in exported tracks',
  ),
  CSB_PROVIDER_EMAIL: text(
    'an email address',
    'data@example.org',
    'email address of the data provider in exported tracks',
    /^[\w.%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}$/,
  ),
  CSB_DATA_LICENSE: text('text', 'CC0-1.0', 'licence of exported tracks'),
  TOKEN_SECRET: secret(
    text(
      'at least 32 characters',
      'the output of openssl rand -hex 32',
      'secret for tokens signed with HS256, in addition to tokens signed with TOKEN_KEYS; for self-hosting',
      /^.{32,}$/s,
    ),
  ),
  DEMO_TOKEN: secret({
    values: 'a public token that is not restricted to origins',
    expected:
      'a public token that is not restricted to origins, for example 00112233445566778899aabbccddeeff',
    defaultValue: undefined,
    default: 'none',
    description:
      'token of the live chart on the page `/`, which every visitor can read; without it, the page shows a picture',
    read: (given) => (isOpaqueToken(given) || isTokenText(given) ? given : undefined),
  } as Setting<string | undefined>),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** `GEOJSON_MIN_ZOOM` is `geojsonMinZoom`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Name extends Uppercase<Name>
    ? Lowercase<Name>
    : Name;

/** The property of a setting in the parsed settings. */
export const propertyOf = <Name extends SettingName>(name: Name) =>
  (name.includes('_') ? camelCase(name.toLowerCase()) : name) as CamelCase<Name>;

/** The value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName as CamelCase<Name>]: (typeof SETTINGS)[Name] extends Setting<
    infer T
  >
    ? T
    : never;
};

export const SETTING_ENTRIES = Object.entries(SETTINGS) as readonly [string, Setting<unknown>][];

/** The setting with a name or alias. */
export const settingNamed = (name: string): Setting<unknown> | undefined =>
  SETTING_ENTRIES.find(([key, { alias }]) => key === name || alias === name)?.[1];

/** The names of all settings, including aliases. */
export const SETTING_NAMES: readonly string[] = SETTING_ENTRIES.flatMap(([name, { alias }]) =>
  alias === undefined ? [name] : [name, alias],
);
