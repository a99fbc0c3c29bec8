// The settings as they are used, for administrators. Values of secrets are never part of it.

import type { SettingInForce } from '../../../shared/contract/system.ts';
import { type Env, givenSetting, settingsOf } from './env.ts';
import {
  BY_PROFILE,
  propertyOf,
  SETTINGS,
  type Setting,
  type SettingName,
} from './setting-table.ts';

/** Secrets that no other setting can replace, so they are not in the table. */
const SECRETS: Readonly<Record<string, string>> = {
  TOKEN_KEYS: 'keys for verifying signed tokens',
  USER_TOKEN_SECRET: 'secret for sessions of the portal, tokens of end users and ids of vessels',
  DATABASE_URL: 'connection to the database, with a password',
  HYPERDRIVE: 'Hyperdrive, which replaces DATABASE_URL',
};

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
  return [...names.map((name) => inForce(env, name)), ...secrets];
}

function inForce(env: Env, name: SettingName): SettingInForce {
  const { description, default: usual, isSecret = false, read }: Setting<unknown> = SETTINGS[name];
  const { text: given } = givenSetting(env, name);
  const isValid = given === undefined || read(given) !== undefined;
  const common = { name, isSecret, isValid, description };
  // A binding of Cloudflare replaces the limit: LIMIT_READS replaces RATE_LIMIT_READS.
  if (name.startsWith('RATE_LIMIT_') && env[name.slice('RATE_'.length)] !== undefined)
    return { ...common, value: null, source: 'wrangler' };
  const isSet = given !== undefined && isValid;
  if (isSecret) return { ...common, value: null, source: isSet ? 'set' : 'default' };
  if (isSet) return { ...common, value: given, source: 'set' };
  if (usual !== BY_PROFILE) return { ...common, value: usual, source: 'default' };
  const value = settingsOf(env)[propertyOf(name)];
  const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : `${value}`;
  return { ...common, value: text, source: 'profile' };
}
