// The chart page and its libraries as static files, the way the platform's assets will serve them.

import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Write the pages below `assetsDir`: documents at its root, scripts and styles under `page/`. */
export async function buildPage(root: string, assetsDir: string): Promise<void> {
  const source = join(root, 'workers', 'page');
  const target = join(assetsDir, 'page');
  await mkdir(target, { recursive: true });
  await build({
    entryPoints: ['chart', 'playground/playground'].flatMap((name) =>
      ['ts', 'css'].map((ending) => join(source, `${name}.${ending}`)),
    ),
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: false,
    outdir: target,
    logLevel: 'error',
  });
  for (const page of ['index.html', 'playground.html', 'use.html']) {
    await copyFile(join(source, page), join(assetsDir, page));
  }
  await copyFile(join(source, 'icon.svg'), join(target, 'icon.svg'));
  // The map library starts its worker from a file of its own, which must come from this host.
  const library = join(root, 'node_modules', 'maplibre-gl', 'dist', 'maplibre-gl-worker.mjs');
  await copyFile(library, join(target, 'maplibre-gl-worker.mjs'));
}
