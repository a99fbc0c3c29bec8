// Starts the local database: server, tables, the Worker's login, and the proxy that the Worker connects
// to. Or connects to the server at DATABASE_URL.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createOnce, parseStored } from './create-once.ts';
import type { Log } from './json-log.ts';
import { keepRunning, type Running, type SupervisedPart } from './keep-running.ts';
import { migrate, OtherMigrations, readMigrations } from './migrations.ts';
import { type FaultListener, type NeonProxy, openNeonProxy } from './neon-proxy.ts';
import { startPostgres } from './postgres-server.ts';
import { newPassword, setWorkerLogin } from './worker-login.ts';

/** Settings of the Worker for its database. */
export interface DatabaseBindings {
  readonly DATABASE_URL: string;
  /** Host and port of the proxy; absent for Neon, which has its own. */
  readonly DATABASE_PROXY?: string;
}

export interface LocalDatabase {
  readonly bindings: DatabaseBindings;
  /** Connection URL with all rights, for operator commands; never passed to the Worker. */
  readonly ownerUrl: string;
  /** The embedded server; absent for an external server. */
  readonly server?: SupervisedPart;
  stop(): Promise<void>;
}

const DATABASE = 'leadline';
const WORKER = 'leadline_worker';
/** Advisory lock for the creation of the database. */
const CREATE_LOCK = 5_323_236;

interface Passwords {
  readonly owner: string;
  readonly worker: string;
}

/** Start the embedded server without migrations; create an empty database if it is missing. */
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

/** Has the process that restores a backup into the folder: its id and its start. It stays if that process is killed. */
export const restoreMark = (data: string): string => join(data, 'restoring');

/** @throws Error if a restore into the folder is not complete */
export function assertRestored(data: string): void {
  if (existsSync(restoreMark(data)))
    throw new Error(
      `The restore of a backup into ${data} is not complete. Repeat it with leadline restore, or choose another folder with --data.`,
    );
}

const quiet: Log = () => undefined;

/**
 * Start the embedded server, apply migrations, and keep it running.
 * @param dataDir data folder of the service
 * @param log receives restarts of the server and faults of statements
 * @throws Error if a restore into the folder is not complete
 */
export async function startLocalDatabase(dataDir: string, log = quiet): Promise<LocalDatabase> {
  assertRestored(dataDir);
  const { owner, worker } = passwordsOf(dataDir);
  let port = 0;
  let folder = join(dataDir, 'postgres');
  let proxy: NeonProxy | undefined;
  const url = (login: string, password: string, database: string) =>
    `postgresql://${login}:${password}@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<Running> => {
    const options = { folder: join(dataDir, 'postgres'), password: owner };
    // Reuse the port, so that clients can reconnect; if it is taken, use another.
    const { pid, ended, stop, ...server } = await startPostgres({ ...options, port }).catch(
      (error: unknown) => {
        if (port === 0 || !/Port \d+ is in use|Address already in use/.test(String(error)))
          throw error;
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
  if (folder !== join(dataDir, 'postgres')) log({ kind: 'database', state: 'elsewhere', folder });
  try {
    const ownerUrl = url('postgres', owner, DATABASE);
    await createDatabase(url('postgres', owner, 'postgres'));
    await withClient(ownerUrl, async (client) => {
      await migrate(client, readMigrations());
      await setWorkerLogin(client, WORKER, worker);
    });
    const opened = await openNeonProxy(url(WORKER, worker, DATABASE), faultTo(log));
    proxy = opened;
    return {
      bindings: {
        // The port may change at a restart.
        get DATABASE_URL() {
          return url(WORKER, worker, DATABASE);
        },
        DATABASE_PROXY: `127.0.0.1:${opened.port}`,
      },
      ownerUrl,
      server,
      stop: async () => {
        await opened.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error instanceof OtherMigrations ? withRemedy(error, folder) : error;
  }
}

/** The error with a remedy, if the local tables cannot be migrated. */
const withRemedy = (cause: OtherMigrations, folder: string): Error =>
  new Error(
    `${cause.message} To begin with an empty database, stop the service and delete ${folder}: ` +
      'the accounts, saved styles, reports and soundings in it are lost; charts and keys stay.',
    { cause },
  );

/**
 * Connect to an external server without migrations. `ownerUrl` is the given URL.
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
  (log: Log): FaultListener =>
  (fault) =>
    log({ kind: 'fault', where: 'statement', ...fault });

/** With these, a server notices within a minute that the machine of a client is lost, and releases its locks. */
const TCP_LIMITS =
  'SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3';

/** Run `work` with a connection, and close the connection afterwards. */
export async function withClient<T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 30_000 });
  // A lost connection also rejects the pending query; an unhandled event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(TCP_LIMITS);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    // CREATE DATABASE cannot run in a transaction, so the lock belongs to this session.
    await client.query('SELECT pg_advisory_lock($1)', [CREATE_LOCK]);
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

/** The passwords in the data folder; created at random if they are missing. */
function passwordsOf(dataDir: string): Passwords {
  const folder = join(dataDir, 'keys');
  const file = join(folder, 'database.json');
  // Two calls: mode 0700 on `dataDir` would lock out the database's user.
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const newPasswords: Passwords = { owner: newPassword(), worker: newPassword() };
  const kept = createOnce(file, `${JSON.stringify(newPasswords, null, 2)}\n`);
  return parseStored<Passwords>(file, kept, ({ owner, worker }) => Boolean(owner && worker));
}
