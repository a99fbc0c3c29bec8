// `npm run migrate`: the database's tables up to date, on a server or on this machine's own.

import { resolve } from 'node:path';
import { Command } from 'commander';
import { startLocalDatabase, withClient } from '../database/local-database.ts';
import { migrate, pending, readMigrations } from '../database/migrations.ts';
import { ownerUrlGiven, stateFolder } from '../database/operator-variables.ts';
import { newPassword, setWorkerLogin } from '../database/worker-login.ts';

const program = new Command('migrate')
  .description(
    'Bring the tables of the database at DATABASE_OWNER_URL, or else DATABASE_URL, up to date; without\n' +
      'either, those of the database that npm start keeps on this machine. Files are applied forward only,\n' +
      'each once.',
  )
  .option('--check', 'only tell what is missing; ends with 1 where something is', false)
  .option('--login <name>', 'also make this login for the Worker, and print its DATABASE_URL')
  .option('--data <dir>', 'folder of the service state (LEADLINE_DATA)', stateFolder())
  .action(async ({ check, login, data }: { check: boolean; login?: string; data: string }) => {
    const url = ownerUrlGiven();
    if (url === undefined) {
      if (check || login !== undefined) {
        throw new Error('--check and --login are for a server: set DATABASE_OWNER_URL.');
      }
      // Starting it is what brings it up to date.
      await (await startLocalDatabase(resolve(data))).stop();
      console.log('The database of this machine is up to date.');
      return;
    }
    await withClient(url, async (client) => {
      const migrations = readMigrations();
      if (check) {
        const missing = await pending(client, migrations);
        for (const { name } of missing) console.log(`missing: ${name}`);
        process.exitCode = missing.length === 0 ? 0 : 1;
        return;
      }
      for (const name of await migrate(client, migrations)) console.log(`applied: ${name}`);
      console.log(`The database has ${migrations.length} migrations and lacks none.`);
      if (login === undefined) return;
      const password = newPassword();
      await setWorkerLogin(client, login, password);
      const own = new URL(url);
      own.username = login;
      own.password = password;
      console.log(own.href);
    });
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
