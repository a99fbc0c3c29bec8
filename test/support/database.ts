// A real database for one test file: a copy of the migrated template, empty, with the proxy and the
// login that the Worker uses. Or a server of its own, for tests that kill it.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Pool, type QueryResult } from 'pg';
import { inject } from 'vitest';
import { type DatabaseBindings, withClient } from '../../workers/host/database/local-database.ts';
import { openNeonProxy } from '../../workers/host/database/neon-proxy.ts';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import {
  prepare,
  startLastingServer,
  startThrowawayServer,
  TEMPLATE,
  urlOf,
  WORKER,
} from './template-server.ts';

export interface TestDatabase {
  /** For the Worker: its own login, through the proxy. */
  readonly bindings: DatabaseBindings;
  /** With every right. */
  readonly ownerUrl: string;
  /** Ask with every right. */
  query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
  stop(): Promise<void>;
}

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

export interface MortalDatabase extends TestDatabase {
  /** As a crash ends it: at once, with nothing tidied up. */
  kill(): Promise<void>;
  /** Every process of the server stands still: connections open, and nothing answers. */
  freeze(): void;
  thaw(): void;
}

/** A database on a server of its own. */
export async function mortalDatabase(): Promise<MortalDatabase> {
  const password = newPassword();
  const server = await startThrowawayServer(password);
  await prepare(server.port, password, 'leadline');
  const opened = await openTestDatabase(server.port, password, 'leadline');
  const signalAll = (name: NodeJS.Signals) => {
    for (const pid of [server.pid, ...childrenOf(server.pid)]) {
      try {
        process.kill(pid, name);
      } catch {
        // It went by itself.
      }
    }
  };
  return {
    ...opened,
    kill: async () => {
      signalAll('SIGKILL');
      await server.stop();
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stop: async () => {
      signalAll('SIGCONT');
      await opened.stop();
      await server.stop();
    },
  };
}

export interface LastingDatabase extends TestDatabase {
  /** As a crash ends it; what was acknowledged is kept. */
  kill(): Promise<void>;
  /** Up again, with everything that was kept. */
  restart(): Promise<void>;
}

/** A database on a server of its own that comes back after it was killed. */
export async function lastingDatabase(): Promise<LastingDatabase> {
  const password = newPassword();
  const server = await startLastingServer(password);
  await prepare(server.port, password, 'leadline');
  const opened = await openTestDatabase(server.port, password, 'leadline');
  return {
    ...opened,
    kill: async () => {
      const processes = [server.pid, ...childrenOf(server.pid)];
      for (const pid of processes) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It went by itself.
        }
      }
    },
    restart: () => server.start(),
    stop: async () => {
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

/** Processes whose parent is the given one. */
function childrenOf(parent: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', `${parent}`])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}
