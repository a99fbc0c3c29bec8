// `leadline backup` and `leadline restore`.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ownerUrlGiven, variable } from '../database/operator-variables.ts';
import { type BackupList, backUp, restore } from './backup.ts';

interface Place {
  readonly data?: string;
}

const sourceOf = ({ data }: Place) => ({
  data: resolve(data ?? variable('LEADLINE_DATA') ?? '.data'),
  databaseUrl: ownerUrlGiven(),
});

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('copy database, keys and revoked tokens to a new folder, even while serving')
    .argument('<folder>', 'folder to create; must not exist')
    .option('--data <dir>', 'folder of the service state (LEADLINE_DATA; .data)')
    .action(async (folder: string, place: Place) => {
      printSummary('backed up', await backUp(sourceOf(place), resolve(folder)));
    });
  program
    .command('restore')
    .description(
      'restore a backup into an empty data folder, or an empty database at DATABASE_OWNER_URL',
    )
    .argument('<folder>', 'folder that `leadline backup` created')
    .option('--data <dir>', 'folder of the service state (LEADLINE_DATA; .data)')
    .action(async (folder: string, place: Place) => {
      printSummary('restored', await restore(sourceOf(place), resolve(folder)));
    });
}

function printSummary(action: string, { tables, keys, madeAt }: BackupList): void {
  for (const { table, rows } of tables) console.log(`${action}: ${table}, ${rows} rows`);
  console.log(`${action}: ${keys.length} key files; created at ${madeAt}`);
}
