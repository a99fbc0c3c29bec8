// Opens an external PostgreSQL server. With the owner's login, it applies migrations and creates the
// service's login.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../database/json-log.ts';
import { databaseAt, type LocalDatabase, withClient } from '../database/local-database.ts';
import { migrate, readMigrations } from '../database/migrations.ts';
import { newPassword, setWorkerLogin } from '../database/worker-login.ts';

const LOGIN = 'leadline_service';

interface Foreign {
  readonly data: string;
  readonly databaseUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
}

/**
 * Connect to an external database. If only the owner's URL is given, a login for the service is created,
 * and its password is stored in the folder of keys.
 * @throws Error if the server does not answer or a migration fails
 */
export async function openForeignDatabase(
  { data, databaseUrl, databaseOwnerUrl }: Foreign,
  log: Log,
): Promise<LocalDatabase> {
  let url = databaseUrl;
  if (databaseOwnerUrl !== undefined) {
    await withClient(databaseOwnerUrl, async (client) => {
      for (const name of await migrate(client, readMigrations())) {
        log({ kind: 'migration', name });
      }
      if (url !== undefined) return;
      const password = passwordOf(data);
      await setWorkerLogin(client, LOGIN, password);
      const workerUrl = new URL(databaseOwnerUrl);
      workerUrl.username = LOGIN;
      workerUrl.password = password;
      url = workerUrl.href;
    });
  } else await withClient(url as string, (client) => client.query('SELECT 1'));
  const opened = await databaseAt(url as string, log);
  return { ...opened, ownerUrl: databaseOwnerUrl ?? opened.ownerUrl };
}

/** The password in the data folder; created at random if it is missing. */
function passwordOf(data: string): string {
  const folder = join(data, 'keys');
  const file = join(folder, 'service-login.json');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { password: string }).password;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const password = newPassword();
  writeFileSync(file, `${JSON.stringify({ password })}\n`, { mode: 0o600 });
  return password;
}
