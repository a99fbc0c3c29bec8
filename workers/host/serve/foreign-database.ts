// Opens an external PostgreSQL server. With the owner's login, it applies migrations and creates the
// service's login.

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce, parseStored, replaceFile } from '../database/create-once.ts';
import type { Log } from '../database/json-log.ts';
import { databaseAt, type LocalDatabase, withClient } from '../database/local-database.ts';
import { migrate, readMigrations } from '../database/migrations.ts';
import { newPassword, setWorkerLogin } from '../database/worker-login.ts';

interface Login {
  readonly name: string;
  readonly password: string;
}

interface Foreign {
  readonly data: string;
  readonly databaseUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
}

/**
 * Connect to an external database. If only the owner's URL is given, a login for the service is created,
 * and its name and password are stored in the folder of keys.
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
      const { name, password } = loginOf(data);
      await setWorkerLogin(client, name, password);
      const workerUrl = new URL(databaseOwnerUrl);
      workerUrl.username = name;
      workerUrl.password = password;
      url = workerUrl.href;
    });
  } else await withClient(url as string, (client) => client.query('SELECT 1'));
  const opened = await databaseAt(url as string, log);
  return { ...opened, ownerUrl: databaseOwnerUrl ?? opened.ownerUrl };
}

/**
 * The login in the data folder; created at random if it is missing. Logins belong to the server, where
 * another service may have a database too.
 */
function loginOf(data: string): Login {
  const folder = join(data, 'keys');
  const file = join(folder, 'service-login.json');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `leadline_service_${randomBytes(4).toString('hex')}`;
  const textOf = (login: Login) => `${JSON.stringify(login)}\n`;
  const kept = createOnce(file, textOf({ name, password: newPassword() }));
  const isWhole = ({ password }: Partial<Login>) => Boolean(password);
  const known = parseStored<Login | Omit<Login, 'name'>>(file, kept, isWhole);
  if ('name' in known) return known;
  // An older version, whose login had the same name for all services.
  const login: Login = { ...known, name };
  replaceFile(file, textOf(login));
  return login;
}
