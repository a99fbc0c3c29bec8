// Opens the key-value store that the Worker reads: the local one, or the account's through
// `wrangler kv key`.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { edgeFileName } from '../../../shared/contract/edge-file.ts';
import { COMPATIBILITY_DATE, KV_BINDING, KV_NAMESPACE, kvFolder } from '../admin/local-store.ts';
import { checked, wranglerIn } from '../admin/run-wrangler.ts';

export interface EdgeStore {
  readonly name: string;
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Open the store of a data folder. A running service sees every change. If the folder has both the store of
 * `leadline serve` and an older store of the local runtime, changes are written to both.
 */
export async function openLocalStore(dataDir: string): Promise<EdgeStore> {
  const folder = join(dataDir, 'store', 'edge');
  const served = openFolderStore(folder);
  if (!existsSync(kvFolder(dataDir))) return served;
  if (!existsSync(folder)) return openRuntimeStore(dataDir);
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

/** A store with one file for each entry, as the self-hosted service reads it. */
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
      // Not when opened, because the data folder may be mistyped.
      await mkdir(folder, { recursive: true });
      // Write atomically, because the service may read at any time.
      const unfinished = `${pathOf(key)}.${randomUUID()}.part`;
      await writeFile(unfinished, text, { mode: 0o644 });
      await rename(unfinished, pathOf(key));
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    close: async () => undefined,
  };
}

async function openRuntimeStore(dataDir: string): Promise<EdgeStore> {
  // Imported here, because it is slow to load and most commands do not need it.
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

/** Arguments of wrangler for the account's store or a local folder. */
type WranglerPlace = readonly ['--remote'] | readonly ['--local', '--persist-to', string];

/** Open the store of `wrangler.toml`. There is no network access before the first call. */
export async function openWranglerStore(place: WranglerPlace = ['--remote']): Promise<EdgeStore> {
  const scratch = await mkdtemp(join(tmpdir(), 'leadline-edge-'));
  const wrangler = wranglerIn(ROOT);
  const ask = (action: string, ...args: string[]) =>
    wrangler('kv', 'key', action, ...args, '--binding', KV_BINDING, ...place);
  return {
    name: 'the edge',
    get: async (key) => {
      const ran = await ask('get', key);
      // A missing key is a success with --local, and an error with --remote.
      if (ran.stdout === 'Value not found\n') return undefined;
      if (ran.code !== 0 && /10009|key not found|404/i.test(ran.output)) return undefined;
      return checked(ran, `reading ${key}`);
    },
    put: async (key, text) => {
      const path = join(scratch, 'value');
      await writeFile(path, text, { mode: 0o600 });
      await checked(ask('put', key, '--path', path), `writing ${key}`);
    },
    delete: async (key) => {
      await checked(ask('delete', key), `deleting ${key}`);
    },
    close: () => rm(scratch, { recursive: true, force: true }),
  };
}
