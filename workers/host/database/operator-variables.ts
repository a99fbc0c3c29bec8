// Environment variables of operator commands. They are the same as those of the service.

import { resolve } from 'node:path';
import { expectedValue } from '../../service/runtime/setting-texts.ts';

/** An environment variable; `undefined` if it is not set or empty. */
export function variable(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}

/**
 * Connection URL of the owner's login: DATABASE_OWNER_URL, or else DATABASE_URL. `undefined` for the
 * database in the data folder.
 * @throws Error if it is not a PostgreSQL URL
 */
export function ownerUrlGiven(): string | undefined {
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_URL']) {
    const url = variable(name);
    if (url === undefined) continue;
    if (isPostgresUrl(url)) return url;
    throw new Error(expectedValue(name));
  }
  return undefined;
}

export const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:\/\//i.test(url);

export const isPostgresUrl = (url: string): boolean =>
  URL.canParse(url) && /^postgres(ql)?:/.test(url);

/** The data folder: LEADLINE_DATA, or `.data` of the checkout or the installed program. */
export const stateFolder = (): string =>
  // The bundle in `dist/node/bin` is as deep as this file.
  resolve(variable('LEADLINE_DATA') ?? resolve(import.meta.dirname, '../../../.data'));
