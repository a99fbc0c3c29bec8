// The database that `npm start` keeps: made once, found again, used by two at a time, and healed
// after a crash.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type LocalDatabase,
  startLocalDatabase,
  withClient,
} from '../../../workers/host/database/local-database.ts';
import { run } from '../../../workers/host/database/postgres-programs.ts';
import { startPostgres } from '../../../workers/host/database/postgres-server.ts';
import { readIfThere } from '../../../workers/host/database/process.ts';
import { setWorkerLogin } from '../../../workers/host/database/worker-login.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

let dataDir: string;
const programs = scratchFolder();
const open: LocalDatabase[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'leadline-local-'));
  chmodSync(dataDir, 0o755);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const database of open.splice(0).reverse()) await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async () => {
  const database = await startLocalDatabase(dataDir);
  open.push(database);
  return database;
};
const ownerUrl = ({ bindings }: LocalDatabase) => {
  const { owner } = JSON.parse(readFileSync(join(dataDir, 'keys/database.json'), 'utf8'));
  return bindings.DATABASE_URL.replace(/\/\/[^@]+@/, `//postgres:${owner}@`);
};
const ask = async (database: LocalDatabase, sql: string) =>
  (await withClient(ownerUrl(database), (client) => client.query(sql))).rows;
const serverPid = (folder = join(dataDir, 'postgres')) =>
  Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('the local database keeps its rows over a restart, ends with its process, and hides its passwords', async () => {
  const first = await start();
  await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const pid = serverPid();
  await open.pop()!.stop();
  // The server takes its lock file away a moment before it is gone.
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  expect(await ask(await start(), 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
  expect(statSync(join(dataDir, 'keys/database.json')).mode & 0o077).toBe(0);
});

test('the local database is one server for two that use the same folder', async () => {
  const first = await start();
  await ask(first, 'CREATE TABLE shared AS SELECT 1 AS one');
  const second = await start();
  expect(await ask(second, 'SELECT * FROM shared')).toEqual([{ one: 1 }]);
  expect(new URL(second.bindings.DATABASE_URL).port).toBe(
    new URL(first.bindings.DATABASE_URL).port,
  );
});

test('the local database recovers after a crash', async () => {
  const first = await start();
  await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(serverPid(), 'SIGKILL');
  await open.pop()!.stop();
  expect(await ask(await start(), 'SELECT * FROM kept')).toEqual([{ answer: 42 }]);
});

test('the local database starts if its process id now belongs to another PostgreSQL server', async () => {
  await start();
  const file = join(dataDir, 'postgres/postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n').slice(1);
  await open.pop()!.stop();
  const args = ['-e', 'setInterval(() => {}, 1000)', 'postgres', '-D', '/var/lib/another'];
  const other = spawn(process.execPath, args, { stdio: 'ignore' });
  try {
    writeFileSync(file, [other.pid, ...lines].join('\n'));
    expect(await ask(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid!)).toBe(true);
  } finally {
    other.kill('SIGKILL');
  }
});

test('a server that takes long to start is left to start, and shared when it is ready', async () => {
  const [bin, folder] = [join(dataDir, 'bin'), join(dataDir, 'postgres')];
  const file = join(folder, 'postmaster.pid');
  for (const one of [bin, folder]) mkdirSync(one);
  const script = `#!/bin/sh
[ "$1" = --version ] && exit
printf '%s\\n' $$ "$2" 0 4321 '' '' '' "starting" > "$2/postmaster.pid"
while :; do sleep 1; done`;
  writeFileSync(join(bin, 'postgres'), script, { mode: 0o755 });
  writeFileSync(join(folder, 'PG_VERSION'), '');
  vi.stubEnv('PG_BIN', bin);
  const begin = (patienceMs: number) => startPostgres({ folder, password: 'x', patienceMs });
  try {
    await expect(begin(100)).rejects.toThrow('still starting');
    await expect.poll(() => readIfThere(file), { timeout: 20_000 }).toContain('starting');
    const pid = serverPid();
    await expect(begin(100)).rejects.toThrow('still starting');
    expect(isAlive(pid)).toBe(true);
    writeFileSync(file, readFileSync(file, 'utf8').replace('starting', 'ready   '));
    expect(await begin(0)).toMatchObject({ pid, port: 4321 });
  } finally {
    vi.unstubAllEnvs();
    process.kill(-serverPid(), 'SIGKILL');
  }
});

test('the Worker gets the address of a server that restarted on another port', async () => {
  const blocker = createServer((socket) => socket.destroy());
  let port = 0;
  let starts = 0;
  const database = await startLocalDatabase(dataDir, ({ state }) => {
    if (state === 'ended') blocker.listen(port, '127.0.0.1');
    if (state === 'up') starts++;
  });
  open.push(database);
  port = Number(new URL(database.bindings.DATABASE_URL).port);
  process.kill(serverPid(), 'SIGKILL');
  await expect.poll(() => starts, { timeout: 20_000 }).toBe(2);
  expect(await ask(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  blocker.close();
});

test('starts below a folder that only its owner may enter', async () => {
  chmodSync(dataDir, 0o700);
  const database = await start();
  expect(await ask(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const note = join(dataDir, 'postgres.place');
  if (!existsSync(note)) return;
  await open.pop()!.stop();
  // The database is found again, also when its user may enter the folder.
  chmodSync(dataDir, 0o755);
  const { ino, mtimeMs } = statSync(note);
  await ask(await start(), 'SELECT 1');
  await open.pop()!.stop();
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual([]);
  // A full disk must not lose the note.
  expect(statSync(note)).toMatchObject({ ino, mtimeMs });
  // Some systems empty /var/tmp.
  const parent = existsSync('/var/lib') ? '/var/lib' : '/var/tmp';
  expect(dirname(dirname(readFileSync(note, 'utf8')))).toBe(parent);
  rmSync(dirname(readFileSync(note, 'utf8')), { recursive: true });
  await expect(start()).rejects.toThrow(`it was in ${readFileSync(note, 'utf8')}`);
});

test('a database that root has put elsewhere is not replaced by an empty one of another user', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(4321);
  const folder = join(dataDir, 'postgres');
  // As it looks to a user who cannot read it.
  const elsewhere = join(dataDir, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(dataDir, 'postgres.place'), elsewhere);
  const starts = () => startPostgres({ folder, password: 'secret' });
  await expect(starts()).rejects.toThrow(`is in ${elsewhere} and belongs to another user`);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(elsewhere, { recursive: true });
  await expect(starts()).rejects.toThrow('The database is missing');
  // Nor is one in the folder itself.
  rmSync(join(dataDir, 'postgres.place'));
  await expect(starts()).rejects.toThrow(`${folder} belongs to another user`);
});

test('a folder with files of a damaged database is refused, and its files stay', async () => {
  const folder = join(dataDir, 'postgres');
  mkdirSync(folder);
  writeFileSync(join(folder, 'postgresql.conf'), '');
  await expect(start()).rejects.toThrow('PG_VERSION is missing');
  expect(readdirSync(folder)).toEqual(['postgresql.conf']);
});

test.runIf(process.getuid?.() === 0)(
  'root cannot start the database of another user, nor become its owner',
  async () => {
    const folder = join(dataDir, 'postgres');
    mkdirSync(folder);
    chownSync(folder, 4321, 4321);
    await expect(startPostgres({ folder, password: 'secret' })).rejects.toThrow(
      'belongs to another user',
    );
    expect(statSync(folder).uid).toBe(4321);
    expect(readdirSync(dataDir)).toEqual(['postgres']);
  },
);

test.each([
  ['power failure', ''],
  ['killed server', '--no-sync'],
] as const)(
  'the new data of a database that survives a %s is on the disk',
  async (survives, option) => {
    const bin = join(dataDir, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'postgres'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(bin, 'initdb'), '#!/bin/sh\necho "with $*" >&2\nexit 1\n', { mode: 0o755 });
    vi.stubEnv('PG_BIN', bin);
    const started = startPostgres({ folder: join(dataDir, 'postgres'), password: 'x', survives });
    const refused = await started.then(String, ({ message }: Error) => message);
    vi.unstubAllEnvs();
    expect(refused).toContain('with -D');
    expect(/--no-sync/.exec(refused)?.[0] ?? '').toBe(option);
  },
);

test.runIf(process.getuid?.() === 0)(
  'the first start of root leaves no folder elsewhere if the database cannot be created',
  async () => {
    chmodSync(dataDir, 0o700);
    const bin = join(programs, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'postgres'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(bin, 'initdb'), '#!/bin/sh\necho "in $2" >&2\nexit 1\n', { mode: 0o755 });
    chmodSync(programs, 0o755);
    vi.stubEnv('PG_BIN', bin);
    const refused = await start().then(String, ({ message }: Error) => message);
    vi.unstubAllEnvs();
    const [, elsewhere] = /^in (.*\/leadline-data-\w+)\/postgres.new$/.exec(refused) ?? [];
    expect([elsewhere, existsSync(`${elsewhere}`)]).toEqual([expect.any(String), false]);
  },
);

test.runIf(process.getuid?.() === 0)('programs run as the user nobody of macOS', async () => {
  const nobody = { uid: 4_294_967_294, gid: 4_294_967_294 };
  expect(await run('id', ['-u'], nobody)).toBe('4294967294\n');
});

test('the local database stays for the others when the one that started it stops', async () => {
  const first = await start();
  const second = await start();
  const pid = serverPid();
  await first.stop();
  expect(isAlive(pid)).toBe(true);
  expect(await ask(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await second.stop();
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  open.length = 0;
});

test('the local database is created once by many that start at once, and ends with the last', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => startLocalDatabase(dataDir)));
  const pid = serverPid();
  expect(new Set(all.map(({ ownerUrl: url }) => url)).size).toBe(1);
  for (const database of all) {
    expect(await ask(database, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.stop();
  }
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
});

test('the login of the Worker can be set by many commands at once', async () => {
  const database = await start();
  const set = () =>
    withClient(database.ownerUrl, (client) => setWorkerLogin(client, 'leadline_worker', 'secret'));
  await Promise.all(Array.from({ length: 16 }, set));
  const [row] = await ask(
    database,
    "SELECT rolconfig FROM pg_roles WHERE rolname = 'leadline_worker'",
  );
  expect(row?.rolconfig).toContain('statement_timeout=3s');
});
