// Environment variables of operator commands. They are the same as those of the service.

import { resolve } from 'node:path';

/** An environment variable; `undefined` if it is not set or empty. */
export function variable(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}

/**
 * Connection URL of the owner's login: DATABASE_OWNER_URL, or else DATABASE_URL. `undefined` for the
 * database in the data folder.
 */
export const ownerUrlGiven = (): string | undefined =>
  variable('DATABASE_OWNER_URL') ?? variable('DATABASE_URL');

/** The data folder: LEADLINE_DATA, or `.data` of the checkout or the installed program. */
export const stateFolder = (): string =>
  // The bundle in `dist/node/bin` is as deep as this file.
  resolve(variable('LEADLINE_DATA') ?? resolve(import.meta.dirname, '../../../.data'));
