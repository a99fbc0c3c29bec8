// Every setting of a deployment, once: what it may be, what it is where nothing is said, and what it
// is for. The parser, `npm start -- --help` and SETTINGS.md are all made from this table.

import { LIFETIMES_MS, REPORT_KINDS, type ReportKind } from '../../../shared/reports/report.ts';

export interface Setting<T> {
  /** What it may be, in words. */
  readonly values: string;
  /** What it is where nothing is said; undefined where that depends, or is nothing. */
  readonly otherwise: T | undefined;
  /** The same in words. */
  readonly default: string;
  readonly says: string;
  /** Another name, as environments usually have them; the first one wins. */
  readonly or?: string;
  /** The value of a text; undefined for what it may not be. */
  readonly read: (text: string) => T | undefined;
}

const choice = <const T extends string>(
  choices: readonly T[],
  otherwise: T | undefined,
  says: string,
  inWords: string = otherwise ?? 'as the profile says',
): Setting<T> => ({
  values: choices.join(', '),
  otherwise,
  default: inWords,
  says,
  read: (text) => choices.find((one) => one === text),
});

const ON = ['on', 'true', '1'];
const OFF = ['off', 'false', '0'];

const onOff = (otherwise: boolean | undefined, says: string): Setting<boolean> => ({
  values: 'on, off',
  otherwise,
  default: otherwise === undefined ? 'as the profile says' : otherwise ? 'on' : 'off',
  says,
  read: (text) => (ON.includes(text) ? true : OFF.includes(text) ? false : undefined),
});

const whole = (
  least: number,
  most: number,
  otherwise: number | undefined,
  says: string,
  or?: string,
): Setting<number> => ({
  values: `${least} to ${most}`,
  otherwise,
  default: otherwise === undefined ? 'as the profile says' : `${otherwise}`,
  says,
  ...(or === undefined ? {} : { or }),
  read: (text) => {
    const number = Number(text);
    const isSound = /^-?\d{1,15}$/.test(text) && number >= least && number <= most;
    return isSound ? number : undefined;
  },
});

const text = (
  values: string,
  says: string,
  pattern = /^/,
  otherwise?: string,
): Setting<string> => ({
  values,
  otherwise,
  default: otherwise ?? 'none',
  says,
  read: (given) => (pattern.test(given) ? given : undefined),
});

type Lifetimes = Readonly<Record<ReportKind, number>>;

const MAX_LIFETIME_MS = 10 * 365 * 86_400_000;

/** Lifetimes by kind, from JSON; undefined for anything but whole milliseconds of known kinds. */
function lifetimesOf(json: string): Lifetimes | undefined {
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
    return isSound ? { ...LIFETIMES_MS, ...given } : undefined;
  } catch {
    return undefined;
  }
}

const DAY_MS = 86_400_000;

/** The contract's own spelling comes first where it has one. */
export const SETTINGS = {
  CONTRACT_PROFILE: choice(
    ['base', 'enterprise'],
    'base',
    'which of two readings of the contract; single settings override either',
  ),
  GEOJSON_MIN_ZOOM: whole(
    10,
    22,
    undefined,
    'smallest zoom of GeoJSON tiles; 10, or 12 in the enterprise profile',
  ),
  SHORELINE_BODY: choice(
    ['collection', 'geometry'],
    undefined,
    'shoreline tiles as a FeatureCollection, or as a bare geometry as in the enterprise profile',
  ),
  ENTERPRISE_GATE: onOff(
    undefined,
    'GeoJSON and shoreline tiles for the enterprise plan alone, as in that profile',
  ),
  ROUTING_GATE: onOff(true, 'routes for pilot customers alone'),
  ROUTING_MAX_WAYPOINTS: whole(2, 100, 25, 'most waypoints of a route'),
  ATTRIBUTIONS_AUTH: choice(
    ['optional', 'required'],
    'optional',
    'whether attributions ask for a token',
  ),
  ADMIN_TOKEN_IN_QUERY: onOff(
    true,
    'whether an administrator may send the token in the query; off: in the header alone',
  ),
  EMPTY_TILE_STATUS: choice(['200', '204'], '200', 'status of vector tiles without layers'),
  STRICT_CONTENT_TYPE: onOff(false, 'refuse bodies that do not call themselves JSON (415)'),
  TILE_MAX_AGE_SECONDS: whole(0, 31_536_000, 86_400, 'how long clients may keep a tile'),
  RASTER_PAINTER: choice(
    ['direct', 'resvg'],
    'direct',
    'who paints raster tiles: our own painter, or resvg, which is slower',
  ),
  SATELLITE_TILE_URL: text(
    'a template with {z}, {x} and {y}',
    'imagery of the deployment for showSatellite, in the place of that which is built in',
  ),
  QUERY_MAX_RADIUS_METERS: whole(
    0,
    100_000,
    20_000,
    'how far a feature query searches; larger circles are searched as far as this',
  ),
  QUERY_DEFAULT_ZOOM: whole(0, 16, 16, 'zoom of a feature query that names none'),
  REGION_MAX_BYTES: whole(
    1_048_576,
    4_294_967_295,
    268_435_456,
    'largest file of a region for tokens of the standard plan',
  ),
  REGION_MAX_BYTES_ENTERPRISE: whole(
    1_048_576,
    4_294_967_295,
    1_073_741_824,
    'the same for the enterprise plan',
  ),
  RATE_LIMIT_READS: whole(
    0,
    1_000_000,
    6000,
    'reads a minute for each token and address; 0 for no limit. At the edge as in wrangler.toml',
  ),
  RATE_LIMIT_WRITES: whole(0, 1_000_000, 300, 'the same for writes and routes'),
  RATE_LIMIT_HEAVY: whole(
    0,
    1_000_000,
    10,
    'routes and deltas of regions a minute for each token, and uploads of more than 64 KiB',
  ),
  RATE_LIMIT_REFUSALS: whole(
    0,
    1_000_000,
    1000,
    'requests a minute from each address that are answered 401; then they are answered 429',
  ),
  RATE_LIMIT_USERS: whole(
    0,
    1_000_000,
    10,
    'user tokens a minute that a public token is given from one address',
  ),
  REPORTS_LISTING: onOff(true, 'lists of reports, and reports on maps'),
  EXPIRY_JSON: {
    values: 'JSON: milliseconds by kind',
    otherwise: LIFETIMES_MS,
    default: JSON.stringify(LIFETIMES_MS),
    says: 'how long a report lasts unless votes confirm it; kinds that it does not name keep theirs',
    read: lifetimesOf,
  } satisfies Setting<Lifetimes>,
  EXPIRE_NET_INVALID: whole(
    0,
    1_000_000,
    0,
    'so many more downvotes than upvotes end a report; 0 for never',
  ),
  ALLOW_SELF_VOTE: onOff(true, 'votes on reports of one’s own'),
  EXPOSE_EXTERNAL_USER_ID: choice(
    ['account', 'owner', 'always'],
    'account',
    'to whom the externalUserId of a report is shown',
  ),
  REPORT_MAX_BODY_BYTES: whole(1024, 1_048_576, 65_536, 'largest body of a report'),
  REPORT_MAX_PROPERTIES_BYTES: whole(1024, 1_048_576, 16_384, 'largest properties of a report'),
  USAGE_COUNTING: onOff(true, 'requests are counted by token and day, where there is a database'),
  USAGE_FLUSH_MS: whole(
    0,
    1_200_000,
    10_000,
    'how long counts are gathered before they are written; beyond 25000 they are written with a later request, so that charts alone let a database sleep',
  ),
  REVOCATION_REFRESH_MS: whole(
    0,
    60_000,
    30_000,
    'how long a list of stopped tokens is gone by before a newer one is looked for',
  ),
  trackGapMs: whole(
    0,
    7 * DAY_MS,
    300_000,
    'soundings further apart in time are of different tracks',
    'TRACK_GAP_MS',
  ),
  maxSoundingsPerRequest: whole(
    1,
    200_000,
    50_000,
    'most soundings of a request',
    'MAX_SOUNDINGS_PER_REQUEST',
  ),
  maxTrackBytes: whole(
    1,
    67_108_864,
    262_144,
    'largest track, of its points as JSON',
    'MAX_TRACK_BYTES',
  ),
  MAX_SOUNDINGS_BODY_BYTES: whole(1024, 67_108_864, 16_777_216, 'largest body of soundings'),
  MIN_DEPTH_METERS: whole(
    -1000,
    0,
    -20,
    'least depth of a sounding: what dries lies above the datum, and has a negative one',
  ),
  MAX_DEPTH_METERS: whole(1, 100_000, 12_000, 'greatest depth of a sounding'),
  MIN_TIME: whole(0, 8_640_000_000_000, 0, 'soundings before it, epoch milliseconds, are refused'),
  MAX_FUTURE_MS: whole(0, 36_500 * DAY_MS, DAY_MS, 'how far a logger’s clock may be ahead'),
  CSB_NODE_ID: text(
    'a letter, then letters and digits, at most 32',
    'prefix of vessels’ names in exported tracks (IHO B-12)',
    /^[a-zA-Z][a-zA-Z0-9]{0,31}$/,
    'LEADLINE',
  ),
  CSB_PROVIDER_NAME: text('text', 'who gathers the soundings, in exported tracks'),
  CSB_PROVIDER_EMAIL: text(
    'an address',
    'where to write to about them',
    /^[\w.%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}$/,
  ),
  CSB_DATA_LICENSE: text('text', 'licence of exported tracks'),
  TOKEN_SECRET: text(
    'at least 32 characters',
    'secret of tokens signed with HS256, beside those signed with our own keys; for self-hosting',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** What a setting of a name is; undefined among it where nothing stands for what is not said. */
export type SettingValue<N extends SettingName> =
  (typeof SETTINGS)[N] extends Setting<infer T> ? T : never;

const entries = Object.entries(SETTINGS) as readonly [string, Setting<unknown>][];

/** Every name that a setting may be given by. */
export const SETTING_NAMES: readonly string[] = entries.flatMap(([name, { or }]) =>
  or === undefined ? [name] : [name, or],
);

/** The table for a terminal. */
export const settingsHelp = (): string =>
  entries
    .map(([name, { values, default: otherwise, says, or }]) => {
      const names = or === undefined ? name : `${name} or ${or}`;
      return `  ${names}: ${values}; default ${otherwise}\n      ${says}`;
    })
    .join('\n');
