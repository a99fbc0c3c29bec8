// The logins of services that share a PostgreSQL server.

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type LocalDatabase, withClient } from '../../../workers/host/database/local-database.ts';
import { migrate, readMigrations } from '../../../workers/host/database/migrations.ts';
import { setWorkerLogin } from '../../../workers/host/database/worker-login.ts';
import { openForeignDatabase } from '../../../workers/host/serve/foreign-database.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = scratchFolder();
const databases: TestDatabase[] = [];
const opened: LocalDatabase[] = [];
beforeAll(async () => {
  databases.push(await freshDatabase(), await freshDatabase());
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});
afterAll(async () => {
  for (const one of databases) await one.stop();
});

/** Opens a database as a service does. @returns the service's URL */
async function open(service: string, number: number): Promise<string> {
  const databaseOwnerUrl = databases[number]!.ownerUrl;
  const data = join(scratch, service);
  const options = { data, databaseUrl: undefined, databaseOwnerUrl };
  const database = await openForeignDatabase(options, () => undefined);
  opened.push(database);
  return database.bindings.DATABASE_URL;
}
const connects = (url: string) => withClient(url, (client) => client.query('SELECT 1 AS one'));

test('each service keeps a login of its own, which works after the start of another', async () => {
  const first = await open('first', 0);
  const second = await open('second', 1);
  expect(await open('first', 0)).toBe(first);
  for (const url of [first, second]) expect((await connects(url)).rows).toEqual([{ one: 1 }]);
});

test('a service of an older version gets a login of its own, and keeps it', async () => {
  const file = join(scratch, 'older', 'keys', 'service-login.json');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '{"password":"known"}\n', { mode: 0o600 });
  linkSync(file, `${file}.before`);
  const url = await open('older', 0);
  expect(await open('older', 0)).toBe(url);
  const { name, password } = JSON.parse(readFileSync(file, 'utf8'));
  expect([name, password]).toEqual([expect.stringMatching(/^leadline_service_\w{8}$/), 'known']);
  // A crash while it is written would lose the password.
  expect(readFileSync(`${file}.before`, 'utf8')).toBe('{"password":"known"}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await connects(url);
});

test('an owner that did not create the role of services needs its admin option, unless the login is a member', async () => {
  const random = randomBytes(4).toString('hex');
  const [owner, second] = [`owner_${random}`, `login_${random}`];
  const asSuperuser = (sql: string) => databases[0]!.query(sql);
  await asSuperuser(`CREATE ROLE ${owner} LOGIN PASSWORD 'known' NOCREATEROLE`);
  await asSuperuser(`CREATE DATABASE ${owner} OWNER ${owner}`);
  const url = new URL(databases[0]!.ownerUrl);
  [url.username, url.password, url.pathname] = [owner, 'known', owner];
  await withClient(url.href, async (client) => {
    expect(await migrate(client, readMigrations())).toHaveLength(readMigrations().length);
    await asSuperuser(`ALTER ROLE ${owner} CREATEROLE`);
    await expect(setWorkerLogin(client, second, 'known')).rejects.toThrow(
      `run: GRANT leadline_runtime TO "${owner}" WITH ADMIN OPTION;`,
    );
    await client.query(`CREATE ROLE ${second}`);
    await asSuperuser(`GRANT leadline_runtime TO ${second}`);
    await setWorkerLogin(client, second, 'known');
  });
  await asSuperuser(`DROP DATABASE ${owner} WITH (FORCE)`);
  await asSuperuser(`DROP ROLE ${second}, ${owner}`);
});
