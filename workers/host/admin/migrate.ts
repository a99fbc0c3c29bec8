// `npm run migrate`: applies migrations to a server or to the local database.

import { resolve } from 'node:path';
import { Command } from 'commander';
import { endIfOutputFails, refuseEmptyOptions } from '../../../shared/contract/command-program.ts';
import { explain } from '../database/explain.ts';
import { startLocalDatabase, withClient } from '../database/local-database.ts';
import { migrate, pending, readMigrations } from '../database/migrations.ts';
import { ownerUrlGiven, stateFolder } from '../database/operator-variables.ts';
import { newPassword, setWorkerLogin } from '../database/worker-login.ts';

const program = new Command('migrate')
  .description(
    'Apply migrations to the database at DATABASE_OWNER_URL or DATABASE_URL. If neither is set, use the\n' +
      'local database of npm start. Each migration is applied once; there is no downgrade.',
  )
  .hook('preAction', (_, command) => refuseEmptyOptions(command))
  .option('--check', 'list missing migrations only; exit with 1 if there are any', false)
  .option('--login <name>', 'create this login for the Worker and print its DATABASE_URL')
  .option('--data <dir>', 'folder of the service state (LEADLINE_DATA)', stateFolder())
  .action(async ({ check, login, data }: { check: boolean; login?: string; data: string }) => {
    const url = ownerUrlGiven();
    if (url === undefined) {
      if (check || login !== undefined) {
        throw new Error('--check and --login need a server. Set DATABASE_OWNER_URL.');
      }
      // Starting the local database applies the migrations.
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
      console.log(`The database is up to date: it has all ${migrations.length} migrations.`);
      if (login === undefined) return;
      const password = newPassword();
      await setWorkerLogin(client, login, password);
      const workerUrl = new URL(url);
      workerUrl.username = login;
      workerUrl.password = password;
      console.log(workerUrl.href);
    });
  });

endIfOutputFails(process);
try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
