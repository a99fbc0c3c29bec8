// The key-value store that the Worker reads at the edge: the one on this machine, or the account's by
// way of `wrangler kv key`, which knows the account and its login.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { edgeFileName } from '../../../shared/contract/edge-file.ts';
import { COMPATIBILITY_DATE, KV_BINDING, KV_NAMESPACE, kvFolder } from '../admin/local-store.ts';
import { must, wranglerIn } from '../admin/run-wrangler.ts';

export interface EdgeStore {
  readonly name: string;
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * The store below a data folder; a service that runs on it sees every change. Where `leadline serve`
 * serves from the folder, its store is the one; where `npm start` does so too, both are told.
 */
export async function openLocalStore(dataDir: string): Promise<EdgeStore> {
  const folder = join(dataDir, 'store', 'edge');
  if (!existsSync(folder)) return openRuntimeStore(dataDir);
  const served = openFolderStore(folder);
  if (!existsSync(kvFolder(dataDir))) return served;
  const started = await openRuntimeStore(dataDir);
  return {
    ...served,
    put: async (key, text) => {
      await served.put(key, text);
      await started.put(key, text);
    },
    delete: async (key) => {
      await served.delete(key);
      await started.delete(key);
    },
    close: () => started.close(),
  };
}

/** A file an entry, as the self-hosted service reads them. */
export function openFolderStore(folder: string): EdgeStore {
  const pathOf = (key: string) => join(folder, edgeFileName(key));
  return {
    name: `the service in ${dirname(dirname(folder))}`,
    get: (key) =>
      readFile(pathOf(key), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return undefined;
      }),
    put: async (key, text) => {
      // Whole or not at all: the service reads at any time.
      const unfinished = `${pathOf(key)}.${randomUUID()}.part`;
      await writeFile(unfinished, text, { mode: 0o644 });
      await rename(unfinished, pathOf(key));
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    close: async () => undefined,
  };
}

async function openRuntimeStore(dataDir: string): Promise<EdgeStore> {
  // Slow to load, and most commands tell the edge nothing.
  const { Miniflare } = await import('miniflare');
  const runtime = new Miniflare({
    modules: true,
    script: 'export default { fetch: () => new Response(null, { status: 404 }) };',
    compatibilityDate: COMPATIBILITY_DATE,
    cf: false,
    kvNamespaces: { [KV_BINDING]: KV_NAMESPACE },
    kvPersist: kvFolder(dataDir),
  });
  await runtime.ready;
  const namespace = await runtime.getKVNamespace(KV_BINDING);
  return {
    name: `the service in ${dataDir}`,
    get: async (key) => (await namespace.get(key, 'text')) ?? undefined,
    put: (key, text) => namespace.put(key, text),
    delete: (key) => namespace.delete(key),
    close: () => runtime.dispose(),
  };
}

/** Where wrangler works: the account's store, or a local folder (as its own `--local` does). */
type WranglerPlace = readonly ['--remote'] | readonly ['--local', '--persist-to', string];

/** The store that `wrangler.toml` binds; nothing is asked of the network before the first call. */
export async function openWranglerStore(place: WranglerPlace = ['--remote']): Promise<EdgeStore> {
  const scratch = await mkdtemp(join(tmpdir(), 'leadline-edge-'));
  const wrangler = wranglerIn(ROOT);
  const ask = (action: string, ...words: string[]) =>
    wrangler('kv', 'key', action, ...words, '--binding', KV_BINDING, ...place);
  return {
    name: 'the edge',
    get: async (key) => {
      const ran = await ask('get', key);
      // It says so with success on this machine, and with an error of the service at the edge.
      if (ran.printed === 'Value not found\n') return undefined;
      if (ran.code !== 0 && /10009|key not found|404/i.test(ran.said)) return undefined;
      return must(ran, `reading ${key}`);
    },
    put: async (key, text) => {
      const path = join(scratch, 'value');
      await writeFile(path, text, { mode: 0o600 });
      await must(ask('put', key, '--path', path), `writing ${key}`);
    },
    delete: async (key) => {
      await must(ask('delete', key), `deleting ${key}`);
    },
    close: () => rm(scratch, { recursive: true, force: true }),
  };
}
