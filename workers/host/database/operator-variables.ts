// What commands at a terminal take from the environment: the variables that the service itself is run
// with, so that beside a service nothing has to be said twice.

import { resolve } from 'node:path';

/** A variable of the environment; undefined also where it is empty. */
export function variable(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}

/**
 * The login with every right: DATABASE_OWNER_URL, as the self-hosted service and a deployment take it, or
 * DATABASE_URL, where that is the owner's. Undefined for the database that is kept in the data folder.
 */
export const ownerUrlGiven = (): string | undefined =>
  variable('DATABASE_OWNER_URL') ?? variable('DATABASE_URL');

/** The folder of the service's state: LEADLINE_DATA, or `.data` of the checkout or of the installed program. */
export const stateFolder = (): string =>
  // As deep as this file lies `dist/node/bin`, where it is bundled.
  resolve(variable('LEADLINE_DATA') ?? resolve(import.meta.dirname, '../../../.data'));
