// The database of this machine, ready for use: server, tables, the Worker's login, and the proxy that
// the Worker connects to. Or, where DATABASE_URL names another server, that one.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createOnce } from './create-once.ts';
import type { Log } from './json-log.ts';
import { type Kept, keepRunning, type Running } from './keep-running.ts';
import { migrate, OtherMigrations, readMigrations } from './migrations.ts';
import { type NeonProxy, openNeonProxy, type TellFault } from './neon-proxy.ts';
import { startPostgres } from './postgres-server.ts';
import { newPassword, setWorkerLogin } from './worker-login.ts';

/** What the Worker must be told to reach its database. */
export interface DatabaseBindings {
  readonly DATABASE_URL: string;
  /** Where the proxy is; absent where the database is Neon's, which has its own. */
  readonly DATABASE_PROXY?: string;
}

export interface LocalDatabase {
  readonly bindings: DatabaseBindings;
  /** With every right, for what is done at a terminal; the Worker never sees it. */
  readonly ownerUrl: string;
  /** The server, where it is our own: it is started again whenever it ends. */
  readonly server?: Kept;
  stop(): Promise<void>;
}

const DATABASE = 'leadline';
const WORKER = 'leadline_worker';
/** Two commands that create the database at once take turns. */
const CREATE_LOCK = 5_323_236;

interface Passwords {
  readonly owner: string;
  readonly worker: string;
}

/** The embedded server as it is, with an empty database of ours where there was none. */
export async function startBareDatabase(
  dataDir: string,
): Promise<{ readonly ownerUrl: string; stop(): Promise<void> }> {
  const { owner } = passwordsOf(dataDir);
  const server = await startPostgres({ folder: join(dataDir, 'postgres'), password: owner });
  const url = (database: string) =>
    `postgresql://postgres:${owner}@127.0.0.1:${server.port}/${database}`;
  try {
    await createDatabase(url('postgres'));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ownerUrl: url(DATABASE), stop: server.stop };
}

const quiet: Log = () => undefined;

/**
 * Bring up the embedded server, up to date, and keep it up.
 * @param dataDir folder of the service's state
 * @param log told when the server ends and is started again, and of faults of statements
 */
export async function startLocalDatabase(dataDir: string, log = quiet): Promise<LocalDatabase> {
  const { owner, worker } = passwordsOf(dataDir);
  let port = 0;
  let folder = join(dataDir, 'postgres');
  let proxy: NeonProxy | undefined;
  const url = (login: string, password: string, database: string) =>
    `postgresql://${login}:${password}@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<Running> => {
    const options = { folder: join(dataDir, 'postgres'), password: owner };
    // At the same port again, so that clients go on as they were; at another where that is taken.
    const { pid, ended, stop, ...server } = await startPostgres({ ...options, port }).catch(
      (error: unknown) => {
        if (port === 0 || !/in use/.test(String(error))) throw error;
        return startPostgres(options);
      },
    );
    folder = server.folder;
    if (server.port !== port) {
      port = server.port;
      proxy?.retarget(url(WORKER, worker, DATABASE));
    }
    return { pid, ended: ended.then(() => 'its first process ended'), stop };
  };
  const server = await keepRunning('postgres', start, log);
  try {
    const ownerUrl = url('postgres', owner, DATABASE);
    await createDatabase(url('postgres', owner, 'postgres'));
    await withClient(ownerUrl, async (client) => {
      await migrate(client, readMigrations());
      await setWorkerLogin(client, WORKER, worker);
    });
    const DATABASE_URL = url(WORKER, worker, DATABASE);
    const opened = await openNeonProxy(DATABASE_URL, faultTo(log));
    proxy = opened;
    return {
      bindings: { DATABASE_URL, DATABASE_PROXY: `127.0.0.1:${opened.port}` },
      ownerUrl,
      server,
      stop: async () => {
        await opened.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error instanceof OtherMigrations ? beginAnew(error, folder) : error;
  }
}

/** What to do where the tables of this machine cannot be brought up to date. */
const beginAnew = (cause: OtherMigrations, folder: string): Error =>
  new Error(
    `${cause.message} To begin with an empty database, stop the service and delete ${folder}: ` +
      'the accounts, saved styles, reports and soundings in it are lost; charts and keys stay.',
    { cause },
  );

/**
 * A server that is kept elsewhere; `npm run migrate` brings its tables up to date. What its
 * login may do, it may do as owner too.
 */
export async function databaseAt(databaseUrl: string, log = quiet): Promise<LocalDatabase> {
  if (/\.neon\.tech$/.test(new URL(databaseUrl).hostname)) {
    const bindings = { DATABASE_URL: databaseUrl };
    return { bindings, ownerUrl: databaseUrl, stop: async () => undefined };
  }
  const proxy = await openNeonProxy(databaseUrl, faultTo(log));
  return {
    bindings: { DATABASE_URL: databaseUrl, DATABASE_PROXY: `127.0.0.1:${proxy.port}` },
    ownerUrl: databaseUrl,
    stop: () => proxy.close(),
  };
}

const faultTo =
  (log: Log): TellFault =>
  (fault) =>
    log({ kind: 'fault', where: 'statement', ...fault });

/** Connect, work, and let go whatever happens. */
export async function withClient<T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 30_000 });
  // A server that goes away says so here as well as to the statement that waits.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    // CREATE DATABASE runs in no transaction, so the lock is the session's, which ends here.
    await client.query('SELECT pg_advisory_lock($1)', [CREATE_LOCK]);
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

/** Random, made once, readable by us alone. */
function passwordsOf(dataDir: string): Passwords {
  const folder = join(dataDir, 'keys');
  const file = join(folder, 'database.json');
  // The mode would be every new parent's too, and the database's user must pass through those.
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made: Passwords = { owner: newPassword(), worker: newPassword() };
  return JSON.parse(createOnce(file, `${JSON.stringify(made, null, 2)}\n`)) as Passwords;
}
