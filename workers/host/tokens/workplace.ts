// Finds what a command of `npm run tokens` works on: the database, the signing keys, the name of the
// operator, and the edge store.

import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Revocations } from '../../../shared/contract/revocations.ts';
import { explain } from '../database/explain.ts';
import { startLocalDatabase } from '../database/local-database.ts';
import { ownerUrlGiven, stateFolder, variable } from '../database/operator-variables.ts';
import { type EdgeStore, openLocalStore, openWranglerStore } from '../registry/edge-store.ts';
import { type Administrator, withRegistry } from '../registry/registry.ts';
import { publishRevocations } from '../registry/revocations.ts';

export interface Place {
  readonly data: string;
  readonly actor?: string;
  readonly remote?: boolean;
  readonly local?: boolean;
}

/** Options of every command that uses the database. */
export const withPlace = (command: Command): Command =>
  withData(command).addOption(
    new Option('--actor <name>', 'name of the operator, for the audit trail')
      .env('LEADLINE_ACTOR')
      .default(undefined, 'login and machine'),
  );

export const withData = (command: Command): Command =>
  command.option(
    '--data <dir>',
    'data folder with the signing keys (LEADLINE_DATA)',
    stateFolder(),
  );

/** Options of every command that publishes the revocation list. */
export const withEdge = (command: Command): Command =>
  withPlace(command)
    .option(
      '--remote',
      'update the edge of CLOUDFLARE_ENV, with wrangler and the namespace in wrangler.toml',
    )
    .option(
      '--local',
      'update the service in --data (default with the local database or with LEADLINE_DATA)',
    );

/** Run `work` with the registry. */
export function withAdministrator<T>(
  place: Place,
  work: (administrator: Administrator) => Promise<T>,
): Promise<T> {
  return withOwnerUrl(place, (url) =>
    withRegistry(url, (registry) => work({ registry, actor: place.actor || whoAmI() })),
  );
}

/**
 * Run `work` with the registry, and publish the revocation list.
 * @throws Error if the change was made but could not be published
 */
export async function withAdministratorAndEdge<T>(
  place: Place,
  work: (administrator: Administrator, store: EdgeStore) => Promise<T>,
): Promise<T> {
  return withStore(place, (store) =>
    withAdministrator(place, async (administrator) => {
      const result = await work(administrator, store);
      await publish(administrator, store);
      return result;
    }),
  );
}

/** Run `work` with the edge store, and close the store afterwards. */
export async function withStore<T>(
  place: Place,
  work: (store: EdgeStore) => Promise<T>,
): Promise<T> {
  const store = await openStore(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function publish({ registry }: Administrator, store: EdgeStore): Promise<Revocations> {
  try {
    return await publishRevocations(registry, store);
  } catch (error) {
    throw new Error(
      `The change was made, and writes are rejected from now on. It could not be published to the edge, so reads still work there. Publish it with: npm run tokens -- revocations publish\n${explain(error)}`,
    );
  }
}

/** @throws Error if the options and the environment do not name the edge store */
function openStore({ data, remote, local }: Place): Promise<EdgeStore> {
  if (remote && local) throw new Error('Use either --remote or --local, not both.');
  if (remote && variable('CLOUDFLARE_ENV') === undefined) {
    // Without it, wrangler uses the namespace for local commands, which no account has.
    throw new Error('--remote requires CLOUDFLARE_ENV. Set it to production or staging.');
  }
  const isBesideService = variable('LEADLINE_DATA') !== undefined;
  if (!remote && !local && !isBesideService && ownerUrlGiven() !== undefined) {
    throw new Error(
      'The environment names a database. Use --remote or --local to name the edge store that belongs to it.',
    );
  }
  return remote ? openWranglerStore() : openLocalStore(resolve(data));
}

async function withOwnerUrl<T>({ data }: Place, work: (url: string) => Promise<T>): Promise<T> {
  const url = ownerUrlGiven();
  if (url !== undefined) return work(url);
  if (!existsSync(data)) {
    throw new Error(
      `${resolve(data)} does not exist. Set --data to the data folder of the service; npm start and npm run serve create it.`,
    );
  }
  const database = await startLocalDatabase(resolve(data));
  try {
    return await work(database.ownerUrl);
  } finally {
    await database.stop();
  }
}

function whoAmI(): string {
  try {
    return `${userInfo().username}@${hostname()}`.slice(0, 128);
  } catch {
    // The user may have no name in a container.
    return hostname().slice(0, 128);
  }
}
