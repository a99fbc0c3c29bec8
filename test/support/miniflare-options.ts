// Bindings and settings of Miniflare, for the tests and the benches.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { type KeyStore, publicKeySet } from '../../workers/host/admin/keys.ts';
import {
  COMPATIBILITY_DATE,
  KV_BINDING,
  KV_NAMESPACE,
  kvFolder,
} from '../../workers/host/admin/local-store.ts';
import type { WorkerModule } from '../../workers/host/bundle/bundle.ts';
import { packedFolder } from '../../workers/host/bundle/packed-folder.ts';
import type { DatabaseBindings } from '../../workers/host/database/local-database.ts';
import type { Env } from '../../workers/service/runtime/env.ts';

/** With the address of a database behind Hyperdrive, which the runtime simulates. */
export type TestBindings = DatabaseBindings & Pick<Env, 'HYPERDRIVE'>;

interface LocalOptions {
  readonly modules: readonly WorkerModule[];
  readonly keys: KeyStore;
  /** For tokens of end users. */
  readonly userTokenSecret: string;
  /** Folder of the state; `undefined` to keep it in memory. */
  readonly dataDir?: string;
  readonly assetsDir?: string;
  readonly database?: TestBindings | undefined;
  /** The Worker does heavy work itself, as where the other one is not bound. */
  readonly isAlone?: boolean;
  /** Charts are read by a Worker of their own. */
  readonly hasChartReads?: boolean;
  /** Settings of the deployment, such as CONTRACT_PROFILE. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Binding of the compressed assets, if they exist. */
function packedBinding(assetsDir: string | undefined) {
  if (assetsDir === undefined || !existsSync(packedFolder(assetsDir))) return {};
  return { PACKED: { disk: { path: packedFolder(assetsDir), writable: false } } };
}

const SERVICE = 'leadline';
const HEAVY_WORKER = 'heavy-work';
const CHART_READER = 'chart-reads';
const ALWAYS_HIT = 'always-hit';

/** Marks the answers of the Worker for chart reads as those of a cache. */
const alwaysHit = {
  name: ALWAYS_HIT,
  modules: true,
  script: `export default {
    async fetch(request, { NEXT }) {
      const answer = await NEXT.fetch(request);
      const response = new Response(answer.body, answer);
      response.headers.set('cf-cache-status', 'HIT');
      return response;
    },
  };`,
  serviceBindings: { NEXT: { name: CHART_READER, entrypoint: 'ChartReads' } },
};

/** The port on which the Worker answers directly, with the client's own headers. Waits until it does. */
export async function portOf(runtime: Miniflare): Promise<number> {
  await runtime.ready;
  return Number((await runtime.unsafeGetDirectURL(SERVICE)).port);
}

export function miniflareOptions(options: LocalOptions): MiniflareOptions {
  const { keys, userTokenSecret, dataDir, assetsDir, settings, isAlone, hasChartReads } = options;
  const { HYPERDRIVE, ...database } = options.database ?? {};
  const code = {
    modules: [...options.modules],
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ['nodejs_compat'],
    r2Buckets: { TILES: 'leadline-charts' },
    ...(HYPERDRIVE === undefined
      ? {}
      : { hyperdrives: { HYPERDRIVE: HYPERDRIVE.connectionString } }),
  };
  const service = {
    ...code,
    name: SERVICE,
    kvNamespaces: { [KV_BINDING]: KV_NAMESPACE },
    serviceBindings: {
      ...(isAlone === true ? {} : { HEAVY_WORK: { name: HEAVY_WORKER, entrypoint: 'HeavyWork' } }),
      ...(hasChartReads === true ? { CHART_READS: { name: ALWAYS_HIT } } : {}),
      ...packedBinding(assetsDir),
    },
    bindings: {
      TOKEN_KEYS: JSON.stringify(publicKeySet(keys)),
      USER_TOKEN_SECRET: userTokenSecret,
      ...database,
      ...settings,
    },
    ...(assetsDir === undefined
      ? {}
      : {
          assets: {
            directory: assetsDir,
            binding: 'ASSETS',
            // As wrangler.toml's run_worker_first: the asset server knows nothing of other origins.
            routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
          },
        }),
    // The runtime's own entry rewrites Accept-Encoding; the direct one does not. The runtime chooses the port.
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
  // It receives all other settings with each request.
  const heavyWorker = { ...code, name: HEAVY_WORKER, bindings: { ...database } };
  return {
    cf: false,
    ...(dataDir === undefined
      ? {}
      : { r2Persist: join(dataDir, 'r2'), kvPersist: kvFolder(dataDir) }),
    cachePersist: false,
    // Two Workers of one bundle, in one process.
    workers: [
      service,
      ...(isAlone === true ? [] : [heavyWorker]),
      ...(hasChartReads === true ? [{ ...code, name: CHART_READER }, alwaysHit] : []),
    ],
  } as MiniflareOptions;
}
