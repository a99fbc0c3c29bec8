// `npm pack` runs this: each entry as one module and its declarations, into `dist` beside package.json.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeTypes } from './write-types.ts';

const FOLDER = resolve(import.meta.dirname, '..');

/** A bundler's work, so that the size counted is the size that apps ship. */
export async function bundleClient(entry = 'index.ts'): Promise<Uint8Array> {
  const made = await build({
    entryPoints: [resolve(FOLDER, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return made.outputFiles[0]!.contents;
}

/** What apps import: the client, and what opens a region's file. */
const ENTRIES = ['index', 'region'] as const;

export interface BuiltEntry {
  readonly entry: (typeof ENTRIES)[number];
  readonly bytes: number;
  readonly gzippedBytes: number;
}

/** @param folder where the files go; its contents are replaced */
export async function buildPackage(folder = resolve(FOLDER, 'dist')): Promise<BuiltEntry[]> {
  const bundles = await Promise.all(
    ENTRIES.map(async (entry) => ({ entry, bundle: await bundleClient(`${entry}.ts`) })),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { entry, bundle } of bundles) writeFileSync(resolve(folder, `${entry}.js`), bundle);
  copyFileSync(resolve(FOLDER, '../../LICENSE'), resolve(folder, 'LICENSE'));
  const types = writeTypes(ENTRIES.map((entry) => `${entry}.ts`));
  for (const [name, text] of types) writeFileSync(resolve(folder, name), text);
  return bundles.map(({ entry, bundle }) => {
    const gzippedBytes = gzipSync(bundle, { level: 9 }).length;
    return { entry, bytes: bundle.length, gzippedBytes };
  });
}
