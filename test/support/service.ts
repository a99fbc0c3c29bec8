// The service in the real runtime: the bundled Worker, with a separate bucket that contains the given
// charts.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { deserialize } from 'node:v8';
import type { MiniflareOptions } from 'miniflare';
import { inject } from 'vitest';
import { SCOPES } from '../../shared/contract/scopes.ts';
import {
  type KeyStore,
  mintToken,
  newKey,
  newUserTokenSecret,
  type TokenRequest,
} from '../../workers/host/admin/keys.ts';
import { bundleWorker, type WorkerModule } from '../../workers/host/bundle/bundle.ts';
import { openHttpFront } from '../../workers/host/front/http-front.ts';
import { Miniflare } from './miniflare.ts';
import { miniflareOptions, portOf, type TestBindings } from './miniflare-options.ts';
import { copyPublished, publishTo } from './published-charts.ts';

export interface Service {
  readonly address: string;
  readonly port: number;
  /** The lines that the Worker has logged. */
  readonly log: readonly string[];
  readonly keys: KeyStore;
  readonly runtime: Miniflare;
  /** The folder of its state, like that of `npm start`: keys and the key-value store. */
  readonly dataDir: string;
  /** A token with all scopes, except as the options state. */
  token(wanted?: Partial<TokenRequest>): Promise<string>;
  /** Fetches a path, with a token for all scopes unless the headers contain another. */
  get(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly charts: string;
  readonly database?: TestBindings;
  readonly settings?: Readonly<Record<string, string>>;
  readonly assetsDir?: string;
  /** The keys of another service. By default the service has its own. */
  readonly keys?: KeyStore;
  /** If true, clients connect directly to the runtime, which ends waiting connections. For benches. */
  readonly isDirect?: boolean;
  /** Whether the one Worker also does heavy work, as in tests by default: one starts in half the time of two. */
  readonly isAlone?: boolean;
  /** If true, a Worker of its own reads the charts, as if a cache answered for it. */
  readonly hasChartReads?: boolean;
  /** An entry point other than that of the Worker, for benches. */
  readonly entry?: string;
}

const ANYTHING: TokenRequest = {
  subject: 'tester',
  account: 'tests',
  plan: 'enterprise',
  pilot: true,
  scopes: SCOPES,
  origins: [],
  expiresInSeconds: 3600,
};

export const tokenFor = async (
  keys: KeyStore,
  wanted: Partial<TokenRequest> = {},
): Promise<string> => (await mintToken(keys, { ...ANYTHING, ...wanted }, Date.now())).token;

/** Tests send more requests than clients may. */
export const NO_LIMITS = {
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_HEAVY: '0',
  RATE_LIMIT_REFUSALS: '0',
  RATE_LIMIT_USERS: '0',
} as const;

/** Test runs prepare these modules once. A bench has no shared set-up, so it builds them itself. */
export const isTest = process.env['VITEST'] !== undefined;

async function modulesOf(entry: string | undefined): Promise<WorkerModule[]> {
  if (!isTest || entry !== undefined) return bundleWorker(entry);
  return deserialize(readFileSync(inject('worker'))) as WorkerModule[];
}

/** Publishes the charts and starts the Worker on a free port. */
export async function startService(wanted: ServiceOptions): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-service-'));
  if (isTest) await copyPublished(wanted.charts, dataDir, inject('runFolder'));
  else await publishTo(wanted.charts, dataDir);
  const keys = wanted.keys ?? { keys: [await newKey()] };
  // The folder in which the commands look for the keys.
  mkdirSync(join(dataDir, 'keys'));
  writeFileSync(join(dataDir, 'keys', 'signing-keys.json'), JSON.stringify(keys));
  const log: string[] = [];
  const options = miniflareOptions({
    modules: await modulesOf(wanted.entry),
    keys,
    userTokenSecret: newUserTokenSecret(),
    dataDir,
    database: wanted.database,
    hasChartReads: wanted.hasChartReads === true,
    isAlone: wanted.isAlone ?? (isTest || wanted.entry !== undefined),
    settings: { ...NO_LIMITS, ...wanted.settings },
    ...(wanted.assetsDir === undefined ? {} : { assetsDir: wanted.assetsDir }),
  });
  const keep = (chunk: Buffer) => void log.push(...chunk.toString().split('\n'));
  const runtime = new Miniflare({
    ...options,
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      out.on('data', keep);
      err.on('data', keep);
    },
  } as MiniflareOptions);
  const workerPort = await portOf(runtime).catch((cause: unknown) => {
    throw new Error(`The runtime did not start.\n${log.join('\n')}`, { cause });
  });
  // Benches measure the Worker without the front of the local service.
  const front = wanted.isDirect === true ? undefined : await openHttpFront(0, { port: workerPort });
  const port = front?.port ?? workerPort;
  const address = `http://127.0.0.1:${port}`;
  const everything = await tokenFor(keys);
  return {
    address,
    port,
    log,
    keys,
    runtime,
    dataDir,
    token: (tokenRequest) => tokenFor(keys, tokenRequest),
    get: (path, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${everything}`);
      return fetch(address + path, { ...init, headers });
    },
    stop: async () => {
      await front?.close();
      await runtime.dispose();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
