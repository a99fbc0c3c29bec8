// `npm pack` runs this: the client as one module and its declarations, into `dist` beside package.json.

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

export interface BuiltPackage {
  readonly bytes: number;
  readonly gzippedBytes: number;
}

/** @param folder where the files go; its contents are replaced */
export async function buildPackage(folder = resolve(FOLDER, 'dist')): Promise<BuiltPackage> {
  const bundle = await bundleClient();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'index.js'), bundle);
  copyFileSync(resolve(FOLDER, '../../LICENSE'), resolve(folder, 'LICENSE'));
  for (const [name, text] of writeTypes()) writeFileSync(resolve(folder, name), text);
  return { bytes: bundle.length, gzippedBytes: gzipSync(bundle, { level: 9 }).length };
}
