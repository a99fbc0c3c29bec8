// A real PostgreSQL server for a run of tests, with one migrated database to copy from.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../workers/host/database/local-database.ts';
import { migrate, readMigrations } from '../../workers/host/database/migrations.ts';
import { type PostgresServer, startPostgres } from '../../workers/host/database/postgres-server.ts';
import { newPassword, setWorkerLogin } from '../../workers/host/database/worker-login.ts';

export const TEMPLATE = 'template_leadline';
export const WORKER = 'test_worker';

/** The connection of test files to the server, or the reason why it is missing. */
export type TemplateServer =
  | { readonly port: number; readonly password: string }
  | { readonly problem: string };

/** The superuser's or, with a login, another's address of a database. */
export const urlOf = (port: number, password: string, database: string, login = 'postgres') =>
  `postgresql://${login}:${password}@127.0.0.1:${port}/${database}`;

/** A server that can be started again over the same data, at the same port; its folder goes in the end. */
export interface LastingServer {
  readonly port: number;
  /** Of the first process. */
  readonly pid: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps what it acknowledged, also when it is killed. It does not wait for the disk, which may be busy. */
export async function startLastingServer(password: string): Promise<LastingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-database-'));
  chmodSync(folder, 0o755);
  const options = { folder: join(folder, 'data'), password, survives: 'killed server' } as const;
  let server = await startPostgres(options);
  const { port } = server;
  return {
    port,
    get pid() {
      return server.pid;
    },
    start: async () => {
      server = await startPostgres({ ...options, port });
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server in a folder that goes with it. */
export async function startThrowawayServer(
  password: string,
  folder = mkdtempSync(join(tmpdir(), 'leadline-database-')),
): Promise<PostgresServer> {
  const options = { folder: join(folder, 'data'), password, survives: 'nothing' } as const;
  // The database's own user must be able to enter.
  chmodSync(folder, 0o755);
  const server = await startPostgres(options);
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tables and the Worker's login; its password is the superuser's here. */
export async function prepare(port: number, password: string, database: string): Promise<void> {
  await withClient(urlOf(port, password, 'postgres'), async (client) => {
    await client.query(`CREATE DATABASE ${database}`);
  });
  await withClient(urlOf(port, password, database), async (client) => {
    await migrate(client, readMigrations());
    await setWorkerLogin(client, WORKER, password);
  });
}

export async function startTemplateServer(): Promise<{
  server: TemplateServer;
  stop: () => Promise<void>;
}> {
  let stop = async (): Promise<void> => undefined;
  try {
    const password = newPassword();
    const started = await startThrowawayServer(password);
    stop = started.stop;
    await prepare(started.port, password, TEMPLATE);
    return { server: { port: started.port, password }, stop };
  } catch (error) {
    await stop();
    // Only the files that ask for a database fail.
    const problem = error instanceof Error ? error.message : String(error);
    return { server: { problem }, stop: async () => undefined };
  }
}
