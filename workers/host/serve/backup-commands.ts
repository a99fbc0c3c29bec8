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
    .description('copy database, keys and stopped tokens to a new folder, also while serving')
    .argument('<folder>', 'where; it must not exist')
    .option('--data <dir>', 'folder of the service state (LEADLINE_DATA; .data)')
    .action(async (folder: string, place: Place) => {
      tell('backed up', await backUp(sourceOf(place), resolve(folder)));
    });
  program
    .command('restore')
    .description(
      'put a backup into an empty data folder, or an empty database at DATABASE_OWNER_URL',
    )
    .argument('<folder>', 'what backup made')
    .option('--data <dir>', 'folder of the service state (LEADLINE_DATA; .data)')
    .action(async (folder: string, place: Place) => {
      tell('restored', await restore(sourceOf(place), resolve(folder)));
    });
}

function tell(what: string, { tables, keys, madeAt }: BackupList): void {
  for (const { table, rows } of tables) console.log(`${what}: ${table}, ${rows} rows`);
  console.log(`${what}: ${keys.length} files of keys; the copy is of ${madeAt}`);
}
