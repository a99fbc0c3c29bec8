// `npm pack` runs this: the package's modules and their declarations, into `dist` beside package.json.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { writeTypes } from './write-types.ts';

const FOLDER = resolve(import.meta.dirname, '..');

/** The modules of the package, each with what it takes from the one before, which is not in it again. */
export const ENTRIES = ['index.ts', 'region.ts', 'chart/index.ts', 'chart/define.ts'] as const;
export type Entry = (typeof ENTRIES)[number];

/** Modules that stay apart: an error's class must be the same wherever it is thrown and caught. */
const SHARED: Readonly<Record<string, Entry>> = {
  [resolve(FOLDER, 'index.ts')]: 'index.ts',
  [resolve(FOLDER, 'chart/leadline-chart.ts')]: 'chart/index.ts',
};

const moduleOf = (entry: Entry): string => entry.replace(/\.ts$/, '.js');

/** Leaves what another module of the package holds to that module. */
const otherModules = (entry: Entry): Plugin => ({
  name: 'other-modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const module = SHARED[resolve(resolveDir, path)];
      // What an entry itself is made of.
      if (module === undefined || ENTRIES.indexOf(module) >= ENTRIES.indexOf(entry)) return;
      const to = relative(dirname(entry), moduleOf(module));
      return { path: to.startsWith('.') ? to : `./${to}`, external: true };
    });
  },
});

/** A bundler's work, so that the size counted is the size that apps ship. */
export async function bundleClient(entry: Entry = 'index.ts'): Promise<Uint8Array> {
  const made = await build({
    entryPoints: [resolve(FOLDER, entry)],
    external: ['maplibre-gl'],
    plugins: [otherModules(entry)],
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

export interface BuiltModule {
  /** Path below `dist`. */
  readonly path: string;
  readonly bytes: number;
  readonly gzippedBytes: number;
}

/**
 * The modules without what belongs to a package, as bundlers and browsers take them.
 *
 * @param folder where they go; its contents are replaced
 */
export async function writeModules(folder: string): Promise<BuiltModule[]> {
  const bundles = await Promise.all(
    ENTRIES.map(async (entry) => [moduleOf(entry), await bundleClient(entry)] as const),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(resolve(folder, 'chart'), { recursive: true });
  for (const [path, bundle] of bundles) writeFileSync(resolve(folder, path), bundle);
  return bundles.map(([path, bundle]) => ({
    path,
    bytes: bundle.length,
    gzippedBytes: gzipSync(bundle, { level: 9 }).length,
  }));
}

/** Everything of the package but its package.json and README, into `dist`. */
export async function buildPackage(): Promise<BuiltModule[]> {
  const folder = resolve(FOLDER, 'dist');
  const modules = await writeModules(folder);
  copyFileSync(resolve(FOLDER, '../../../LICENSE'), resolve(folder, 'LICENSE'));
  for (const [path, text] of writeTypes(ENTRIES)) writeFileSync(resolve(folder, path), text);
  return modules;
}
