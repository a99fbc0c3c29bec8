// Builds the modules of the package and their type declarations into `dist`. `npm pack` runs it.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin, transformSync } from 'esbuild';
import { writeTypes } from './write-types.ts';

const FOLDER = resolve(import.meta.dirname, '..');

/** The modules of the package. A module imports shared code from earlier modules. */
export const ENTRIES = [
  'index.ts',
  'region.ts',
  'portal.ts',
  'chart/index.ts',
  'chart/define.ts',
] as const;
export type Entry = (typeof ENTRIES)[number];

/** Modules that are never duplicated, so that each error class exists once. */
const SHARED: Readonly<Record<string, Entry>> = {
  [resolve(FOLDER, 'index.ts')]: 'index.ts',
  [resolve(FOLDER, 'chart/leadline-chart.ts')]: 'chart/index.ts',
};

const moduleOf = (entry: Entry): string => entry.replace(/\.ts$/, '.js');

/** Marks imports of code in an earlier module as external. */
const otherModules = (entry: Entry): Plugin => ({
  name: 'other-modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const module = SHARED[resolve(resolveDir, path)];
      // Code that belongs to the entry itself.
      if (module === undefined || ENTRIES.indexOf(module) >= ENTRIES.indexOf(entry)) return;
      const to = relative(dirname(entry), moduleOf(module));
      return { path: to.startsWith('.') ? to : `./${to}`, external: true };
    });
  },
});

const minifiedCss = (css: string): string =>
  transformSync(css, { loader: 'css', minify: true }).code.trim();

/** Texts of modules that are shortened before they are bundled, because esbuild keeps them as they are. */
const SHORTENED: readonly (readonly [
  module: RegExp,
  part: RegExp,
  shorter: (part: string) => string,
])[] = [
  [/client\/chart\/(?:frame|control-colors)\.ts$/, /(?<=const STYLES = `)[^`]*/g, minifiedCss],
  // The element uses no defaults: the service applies them.
  [/shared\/style\/options\.ts$/, /, (?:default|unit|isUnsaved): (?:[\w'.-]+|\[\])/g, () => ''],
];

const shortened: Plugin = {
  name: 'shortened',
  setup: ({ onLoad }) => {
    for (const [filter, part, shorter] of SHORTENED) {
      onLoad({ filter }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = text.replace(part, shorter);
        if (contents === text) throw new Error(`${path} has no ${part}.`);
        return { contents, loader: 'ts' };
      });
    }
  },
};

/** Bundles and minifies an entry. */
export async function bundleClient(entry: Entry = 'index.ts'): Promise<Uint8Array> {
  const result = await build({
    entryPoints: [resolve(FOLDER, entry)],
    external: ['maplibre-gl'],
    plugins: [otherModules(entry), shortened],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return result.outputFiles[0]!.contents;
}

export interface BuiltModule {
  /** Path below `dist`. */
  readonly path: string;
  readonly bytes: number;
  readonly gzippedBytes: number;
}

/**
 * Writes the modules without other files of the package.
 *
 * @param folder target folder; its contents are deleted
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

/** Builds `dist`: everything in the package except package.json and README. */
export async function buildPackage(): Promise<BuiltModule[]> {
  const folder = resolve(FOLDER, 'dist');
  const modules = await writeModules(folder);
  copyFileSync(resolve(FOLDER, '../../../LICENSE'), resolve(folder, 'LICENSE'));
  for (const [path, text] of writeTypes(ENTRIES)) writeFileSync(resolve(folder, path), text);
  return modules;
}
