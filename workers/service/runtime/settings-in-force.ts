// The settings as they are used, for administrators. Values of secrets are never part of it.

import type { SettingInForce } from '../../../shared/contract/system.ts';
import { type Env, givenSetting, type Settings, settingsOf } from './env.ts';
import { SETTINGS, type Setting, type SettingName } from './setting-table.ts';

/** Secrets that no other setting can replace, so they are not in the table. */
const SECRETS: Readonly<Record<string, string>> = {
  TOKEN_KEYS: 'keys for verifying signed tokens',
  USER_TOKEN_SECRET: 'secret for sessions of the portal and for tokens of end users',
  DATABASE_URL: 'connection to the database, with a password',
};

/** Rate limits that a binding of Cloudflare replaces. */
const LIMITS: Readonly<Partial<Record<SettingName, keyof Env>>> = {
  RATE_LIMIT_READS: 'LIMIT_READS',
  RATE_LIMIT_WRITES: 'LIMIT_WRITES',
  RATE_LIMIT_HEAVY: 'LIMIT_HEAVY',
  RATE_LIMIT_REFUSALS: 'LIMIT_REFUSALS',
  RATE_LIMIT_USERS: 'LIMIT_USERS',
};

/** Values of the settings whose default depends on the profile. */
const ofProfile = (settings: Settings): Readonly<Partial<Record<SettingName, string>>> => ({
  GEOJSON_MIN_ZOOM: `${settings.geojsonMinZoom}`,
  SHORELINE_BODY: settings.shorelineBody,
  ENTERPRISE_GATE: settings.enterpriseGate ? 'on' : 'off',
});

export function settingsInForce(env: Env): SettingInForce[] {
  const names = Object.keys(SETTINGS) as SettingName[];
  const secrets = Object.entries(SECRETS).map(([name, description]) => ({
    name,
    value: null,
    source: env[name] === undefined || env[name] === '' ? ('default' as const) : ('set' as const),
    isSecret: true,
    isValid: true,
    description,
  }));
  const profile = ofProfile(settingsOf(env));
  return [...names.map((name) => inForce(env, name, profile[name])), ...secrets];
}

/** @param profile the value that the profile of the deployment gives */
function inForce(env: Env, name: SettingName, profile: string | undefined): SettingInForce {
  const {
    description,
    default: usual,
    isSecret = false,
    read,
  } = SETTINGS[name] as Setting<unknown>;
  const { text } = givenSetting(env, name);
  const isValid = text === undefined || read(text) !== undefined;
  const limit = LIMITS[name];
  const common = { name, isSecret, isValid, description };
  if (limit !== undefined && env[limit] !== undefined)
    return { ...common, value: null, source: 'wrangler' };
  const isSet = text !== undefined && isValid;
  if (isSecret) return { ...common, value: null, source: isSet ? 'set' : 'default' };
  if (isSet) return { ...common, value: text, source: 'set' };
  return {
    ...common,
    value: profile ?? usual,
    source: profile === undefined ? 'default' : 'profile',
  };
}
