// Texts about settings: what a value must be, and the table for a terminal.

import { MAIL_SETTINGS } from '../../../shared/contract/mail-settings.ts';
import { SETTING_ENTRIES, settingNamed } from './setting-table.ts';

/** Expected values of the variables that only the self-hosted edition has. */
const HOST_SETTINGS: Readonly<Record<string, string>> = {
  PORT: 'a whole number from 0 to 65535, for example 8787',
  HOST: 'an IP address or a host name, for example 127.0.0.1',
  ...MAIL_SETTINGS,
  TRUSTED_PROXIES:
    'addresses, networks, loopback or private, separated by commas, for example loopback,10.0.0.0/8',
  METRICS_FROM:
    'addresses, networks, loopback or private, separated by commas, for example loopback,10.0.0.0/8',
  CACHE_MEGABYTES: 'a whole number from 1 to 99999, for example 128',
  CHART_WORKER: 'on or off, for example off',
  LEADLINE_S63_LICENSED: 'on or off, for example on',
  PROVISIONING_DEFAULT_TOKEN:
    '32 hexadecimal digits in lower case, for example the output of: openssl rand -hex 16',
  INITIAL_ADMIN_EMAIL: 'an email address if INITIAL_ADMIN_PASSWORD is set',
  INITIAL_ADMIN_PASSWORD: 'a password of 10 to 128 characters if INITIAL_ADMIN_EMAIL is set',
  DATABASE_URL: 'a PostgreSQL URL, for example postgres://leadline@localhost:5432/leadline',
  DATABASE_OWNER_URL: 'a PostgreSQL URL, for example postgres://postgres@localhost:5432/leadline',
};

/**
 * A sentence with the accepted values of a setting. It does not contain the invalid value, which
 * may be a secret.
 * @param origin the option that set the value, if it was not the variable: `--port`
 */
export const expectedValue = (name: string, origin = name): string =>
  `${origin} must be ${settingNamed(name)?.expected ?? HOST_SETTINGS[name]}.`;

/** The log message for an invalid setting. */
export function invalidSetting(name: string): string {
  const usual = settingNamed(name)?.default;
  return `${expectedValue(name)} Its default is used${usual === undefined ? '' : `: ${usual}`}.`;
}

/** The table for a terminal. */
export const settingsHelp = (): string =>
  SETTING_ENTRIES.map(([name, { values, default: usual, description, alias }]) => {
    const names = alias === undefined ? name : `${name} or ${alias}`;
    return `  ${names}: ${values}; default ${usual}\n      ${description}`;
  }).join('\n');
