// What a command of `npm run tokens` works on: the service on this machine, or a deployment. Its
// database, the keys that sign, who is at the terminal, and the store that the edge reads.

import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Revocations } from '../../../shared/contract/revocations.ts';
import { startLocalDatabase } from '../database/local-database.ts';
import { ownerUrlGiven, stateFolder, variable } from '../database/operator-variables.ts';
import { type EdgeStore, openLocalStore, openWranglerStore } from '../registry/edge-store.ts';
import { type Administrator, withRegistry } from '../registry/registry.ts';
import { publishRevocations } from '../registry/revocations.ts';
import { explain } from './explain.ts';

export interface Place {
  readonly data: string;
  readonly actor?: string;
  readonly remote?: boolean;
  readonly local?: boolean;
}

/** Options of every command that asks the database. */
export const withPlace = (command: Command): Command =>
  withData(command).addOption(
    new Option('--actor <name>', 'who does it, for the audit trail')
      .env('LEADLINE_ACTOR')
      .default(undefined, 'login and machine'),
  );

export const withData = (command: Command): Command =>
  command.option(
    '--data <dir>',
    'folder of the service state, with its keys (LEADLINE_DATA)',
    stateFolder(),
  );

/** Options of every command after which the edge must know. */
export const withEdge = (command: Command): Command =>
  withPlace(command)
    .option('--remote', 'tell the edge, by way of wrangler and the namespace in wrangler.toml')
    .option(
      '--local',
      'tell the service in --data (the default without a database of your own, or with LEADLINE_DATA)',
    );

/** Do work as an administrator, with the registry open. */
export function withAdministrator<T>(
  place: Place,
  work: (administrator: Administrator) => Promise<T>,
): Promise<T> {
  return withOwnerUrl(place, (url) =>
    withRegistry(url, (registry) => work({ registry, actor: place.actor ?? whoAmI() })),
  );
}

/**
 * Do something that the edge must know of, and tell it.
 * @throws Error when it is done and the edge could not be told, saying so
 */
export async function withAdministratorAndEdge<T>(
  place: Place,
  work: (administrator: Administrator, store: EdgeStore) => Promise<T>,
): Promise<T> {
  const store = await openStore(place);
  try {
    return await withAdministrator(place, async (administrator) => {
      const done = await work(administrator, store);
      await publish(administrator, store);
      return done;
    });
  } finally {
    await store.close();
  }
}

async function publish({ registry }: Administrator, store: EdgeStore): Promise<Revocations> {
  try {
    return await publishRevocations(registry, store);
  } catch (error) {
    throw new Error(
      `It is done, and writes are refused from now on; but the edge could not be told, and reads go on there. Tell it with: npm run tokens -- revocations publish\n${explain(error)}`,
    );
  }
}

/** @throws Error where it is not said which edge a database of the operator's belongs to */
export function openStore({ data, remote, local }: Place): Promise<EdgeStore> {
  if (remote && local) throw new Error('It is either --remote or --local.');
  const isBesideService = variable('LEADLINE_DATA') !== undefined;
  if (!remote && !local && !isBesideService && ownerUrlGiven() !== undefined) {
    throw new Error(
      'The environment names a database: say with --remote or --local which edge goes by it.',
    );
  }
  return remote ? openWranglerStore() : openLocalStore(resolve(data));
}

async function withOwnerUrl<T>({ data }: Place, work: (url: string) => Promise<T>): Promise<T> {
  const url = ownerUrlGiven();
  if (url !== undefined) return work(url);
  if (!existsSync(data)) {
    throw new Error(`${resolve(data)} does not exist; npm start and npm run serve make it.`);
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
    // A container may run us as a user that has no name.
    return hostname().slice(0, 128);
  }
}
