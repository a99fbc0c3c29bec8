// Bindings and settings of the Worker, parsed once per isolate. An invalid setting is logged, falls
// back to its default and makes /readyz return 503: a typing error must not stop the charts.

import { logFault } from './log.ts';
import type { Observer } from './observer.ts';
import {
  propertyOf,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
} from './setting-table.ts';
import { invalidSetting } from './setting-texts.ts';

export interface Env {
  readonly TILES: Pick<R2Bucket, 'get' | 'put' | 'delete'>;
  readonly KV?: KVNamespace;
  readonly ASSETS?: Fetcher;
  /**
   * Compressed copies of the assets; not bound on Cloudflare, which compresses responses itself.
   */
  readonly PACKED?: Fetcher;
  /** The Worker for routes and soundings; without it this Worker handles them. */
  readonly HEAVY_WORK?: Fetcher;
  /** The Worker for cached chart reads; without it this Worker reads the bucket. */
  readonly CHART_READS?: Fetcher;
  /** JSON Web Key Set of the public keys for verifying tokens. */
  readonly TOKEN_KEYS?: string;
  /** Secret for signing tokens of end users; without it the service issues none. */
  readonly USER_TOKEN_SECRET?: string;
  /**
   * Connection URL with the login of the service; without it, endpoints that need the database
   * return 503.
   */
  readonly DATABASE_URL?: string;
  /** Cloudflare Hyperdrive, used instead of `DATABASE_URL`; its cache must be disabled. */
  readonly HYPERDRIVE?: Pick<Hyperdrive, 'connectionString'>;
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

/** Whether the deployment has a database. */
export const hasDatabase = ({ DATABASE_URL, HYPERDRIVE }: Env): boolean =>
  HYPERDRIVE !== undefined || (DATABASE_URL !== undefined && DATABASE_URL !== '');

/** The parsed settings. `setting-table.ts` describes them. */
export interface Settings extends Omit<SettingValues, keyof Profile>, Profile {
  /** Names of invalid settings. */
  readonly faults: readonly string[];
}

type Profile = { readonly [Name in keyof typeof PROFILES.base]: NonNullable<SettingValues[Name]> };

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

/** The text of a setting, and its name or alias that has it; without a text if neither is set. */
export function givenSetting(
  env: Readonly<Record<string, unknown>>,
  name: SettingName,
): { readonly used: string; readonly text: string | undefined } {
  const { alias = name }: Setting<unknown> = SETTINGS[name];
  const used = [name, alias].find((one) => env[one] !== undefined && env[one] !== '');
  return { used: used ?? name, text: used === undefined ? undefined : String(env[used]) };
}

export function readSettings(env: Readonly<Record<string, unknown>>): Settings {
  const hostFaults = env['SETTING_FAULTS'];
  const faults: string[] = Array.isArray(hostFaults) ? hostFaults.map(String) : [];
  const readSetting = (name: SettingName): unknown => {
    const setting: Setting<unknown> = SETTINGS[name];
    const { used, text } = givenSetting(env, name);
    const value = text === undefined ? undefined : setting.read(text);
    if (text !== undefined && value === undefined) faults.push(used);
    return value ?? setting.defaultValue;
  };
  const names = Object.keys(SETTINGS) as SettingName[];
  const values = Object.fromEntries(
    names.map((name) => [propertyOf(name), readSetting(name)]),
  ) as unknown as SettingValues;
  const profile = PROFILES[values.contractProfile];
  return {
    ...values,
    geojsonMinZoom: values.geojsonMinZoom ?? profile.geojsonMinZoom,
    shorelineBody: values.shorelineBody ?? profile.shorelineBody,
    enterpriseGate: values.enterpriseGate ?? profile.enterpriseGate,
    faults,
  };
}
