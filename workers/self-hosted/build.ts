// What is made once of a checkout, before it serves: the Worker as modules, the chart page, symbols and
// letters. `npm run build` does it; `npm run serve` does it where nobody has.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runTool } from '../admin/database/process.ts';
import { buildPage } from '../local/build-page.ts';
import { bundleWorker } from '../local/bundle.ts';
import type { ModuleKind } from './runtime-config.ts';

export interface Built {
  /** Folder of pages and artwork. */
  readonly assetsDir: string;
  /** Folder of the Worker's modules, its entry first. */
  readonly workerDir: string;
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
}

const KINDS = { ESModule: 'esModule', CompiledWasm: 'wasm', Data: 'data' } as const;
const LIST = 'modules.json';

/** The folder that holds what was made, of a checkout at `root`. */
export const distOf = (root: string): string => join(root, 'dist');

/** Make the static assets: the page, symbols and letters. */
export async function buildAssets(root: string): Promise<void> {
  const assets = join(distOf(root), 'assets');
  await buildPage(root, assets);
  await runTool(root, 'tiles-build/symbols/build-assets.ts', []);
}

/** Make the Worker of the self-hosted edition, below `dist`. */
export async function buildWorker(root: string, dist = distOf(root)): Promise<void> {
  const folder = join(dist, 'standalone');
  const modules = await bundleWorker(resolve(root, 'workers/standalone/entry.ts'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of modules) writeFileSync(join(folder, path), contents);
  const list = modules.map(({ path, type }) => ({ name: path, kind: KINDS[type] }));
  // Written last: where it is, everything is.
  writeFileSync(join(folder, LIST), `${JSON.stringify(list, null, 1)}\n`);
}

/** What `npm run build` left; undefined where it did not run to its end. */
export function builtAt(dist: string): Built | undefined {
  const workerDir = join(dist, 'standalone');
  const assetsDir = join(dist, 'assets');
  const list = join(workerDir, LIST);
  if (!existsSync(list) || !existsSync(join(assetsDir, 'index.html'))) return undefined;
  return { assetsDir, workerDir, modules: JSON.parse(readFileSync(list, 'utf8')) };
}
