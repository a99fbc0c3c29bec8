// The programs that tests start, bundled for Node. Modules look for files from where they themselves
// lie, which a bundle leaves: each keeps the place of its source.

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { PROGRAMS } from '../programs.ts';
import { oncePerRun } from './once-per-run.ts';
import { ROOT } from './paths.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the programs, by the paths of their sources. */
    readonly programs: string;
  }
}

/** Packages of many modules, which take longer to load than most programs take to run. */
const BUNDLED = /^(zod|jose|drizzle-orm|better-auth|better-call|@better-auth\/[\w-]+)(\/|$)/;

/** Other packages stay outside: some have native parts, or look for files next to them. */
const packages: Plugin = {
  name: 'packages',
  setup: (context) =>
    context.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === 'entry-point' || BUNDLED.test(path) ? undefined : { path, external: true },
    ),
};

/** Programs start bundled tools too. */
const bundledTools = (folder: string): Plugin => ({
  name: 'bundled-tools',
  setup: (context) =>
    context.onLoad({ filter: /\/tool-script\.ts$/ }, () => ({
      contents: `export const toolScript = (root, script) =>
        ${JSON.stringify(PROGRAMS)}.includes(script)
          ? [${JSON.stringify(`${folder}/`)} + script.replace(/ts$/, 'mjs')]
          : ['--import', 'tsx', root + '/' + script];`,
    })),
});

/** What a module asks of its own place, and the names that a bundle has for it. */
const PLACES = {
  'import.meta.dirname': 'placeFolder',
  'import.meta.filename': 'placeFile',
  'import.meta.url': 'placeAddress',
};

const sourcePlaces: Plugin = {
  name: 'source-places',
  setup: (context) =>
    context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const places = [dirname(path), path, pathToFileURL(path).href];
      const named = Object.values(PLACES).map(
        (name, i) => `${name} = ${JSON.stringify(places[i])}`,
      );
      return { loader: 'ts', contents: `const ${named.join(', ')};${text}` };
    }),
};

async function bundlePrograms(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-programs-'));
  // Packages are looked for from where a script lies.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await build({
    entryPoints: PROGRAMS.map((path) => join(ROOT, path)),
    outbase: ROOT,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: PLACES,
    plugins: [packages, bundledTools(folder), sourcePlaces],
    logLevel: 'error',
  });
  return folder;
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = await oncePerRun('programs', bundlePrograms);
  project.provide('programs', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
