// A real database for one test file: a copy of the migrated template, empty, with the proxy and the
// login that the Worker uses. Or a server of its own, for tests that kill it.

import { randomBytes } from 'node:crypto';
import { Pool, type QueryResult } from 'pg';
import { inject } from 'vitest';
import { withClient } from '../../workers/host/database/local-database.ts';
import { openNeonProxy } from '../../workers/host/database/neon-proxy.ts';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import type { TestBindings } from './miniflare-options.ts';
import { signalFamily } from './processes.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { prepare, startLastingServer, TEMPLATE, urlOf, WORKER } from './template-server.ts';

export interface TestDatabase {
  /** For the Worker: its own login, through the proxy. */
  readonly bindings: TestBindings;
  /** With every right. */
  readonly ownerUrl: string;
  /** Ask with every right. */
  query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
  stop(): Promise<void>;
}

/** The same database for a service that uses Hyperdrive, and has no other address of it. */
export const behindHyperdrive = (database: TestDatabase): TestDatabase => ({
  ...database,
  bindings: { DATABASE_URL: '', HYPERDRIVE: { connectionString: database.bindings.DATABASE_URL } },
});

/** A new database for the caller alone. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = inject('templateServer');
  if ('problem' in server) throw new Error(`There is no database server: ${server.problem}`);
  const { port, password } = server;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const atServer = (sql: string) =>
    withClient(urlOf(port, password, 'postgres'), (client) => client.query(sql));
  await atServer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  const opened = await openTestDatabase(port, password, name);
  return {
    ...opened,
    stop: async () => {
      await opened.stop();
      await atServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

export interface ServiceWithDatabase extends Service {
  readonly database: TestDatabase;
}

/** Starts a service with the demo charts and a new database. `stop` stops both. */
export async function startServiceWithDatabase(
  options: Partial<ServiceOptions> = {},
): Promise<ServiceWithDatabase> {
  const database = await freshDatabase();
  const charts = inject('demoCharts');
  const service = await startService({ charts, database: database.bindings, ...options });
  const stop = async () => {
    await service.stop();
    await database.stop();
  };
  return { ...service, database, stop };
}

export interface MortalDatabase extends TestDatabase {
  /** Ends the server like a crash. Committed data is preserved. */
  kill(): void;
  restart(): Promise<void>;
  /** Stops every process of the server: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
}

/** A database on a server of its own. */
export async function mortalDatabase(): Promise<MortalDatabase> {
  const password = newPassword();
  const server = await startLastingServer(password);
  await prepare(server.port, password, 'leadline');
  const opened = await openTestDatabase(server.port, password, 'leadline');
  return {
    ...opened,
    kill: () => signalFamily(server.pid, 'SIGKILL'),
    restart: () => server.start(),
    freeze: () => signalFamily(server.pid, 'SIGSTOP'),
    thaw: () => signalFamily(server.pid, 'SIGCONT'),
    stop: async () => {
      signalFamily(server.pid, 'SIGCONT');
      await opened.stop();
      await server.stop();
    },
  };
}

async function openTestDatabase(
  port: number,
  password: string,
  name: string,
): Promise<TestDatabase> {
  const DATABASE_URL = urlOf(port, password, name, WORKER);
  const proxy = await openNeonProxy(DATABASE_URL);
  const ownerUrl = urlOf(port, password, name);
  const owner = new Pool({ connectionString: ownerUrl, max: 4 });
  owner.on('error', () => undefined);
  return {
    bindings: { DATABASE_URL, DATABASE_PROXY: `127.0.0.1:${proxy.port}` },
    ownerUrl,
    query: (sql, values = []) => owner.query(sql, [...values]),
    stop: async () => {
      await proxy.close();
      await owner.end();
    },
  };
}
