// Modules of the service as a new isolate has them. Bundled once in a run: importing them again through Vitest takes
// ten times as long.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { inject } from 'vitest';
import type { createApp } from '../../workers/service/app.ts';
import { withFolderLock } from './folder-lock.ts';
import { ROOT } from './source-files.ts';

export type App = ReturnType<typeof createApp>;
type Evaluate = (
  require: NodeJS.Require,
  packages: Readonly<Record<string, object>>,
  module: { exports: unknown },
) => void;

/** Packages stay outside the bundle, because tests change the settings of some of them. */
const sharedPackages = (names: Set<string>): Plugin => ({
  name: 'shared-packages',
  setup: (context) => {
    context.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || /^node:|\.wasm$/.test(path)) return undefined;
      names.add(path);
      return { path, namespace: 'packages' };
    });
    context.onLoad({ filter: /.*/, namespace: 'packages' }, async ({ path }) => {
      const exported = Object.keys((await import(path)) as object);
      const members = exported.map((name, i) => `const v${i} = shared[${JSON.stringify(name)}];`);
      const list = exported.map((name, i) => `v${i} as ${JSON.stringify(name)}`);
      const shared = `const shared = packages[${JSON.stringify(path)}];`;
      return { contents: `${shared}${members.join('')}export { ${list.join(', ')} };` };
    });
  },
});

/** Binary modules as the platform gives them to the Worker. */
const binaryModules: Plugin = {
  name: 'binary-modules',
  setup: (context) =>
    context.onLoad({ filter: /\.(wasm|bin)$/ }, ({ path }) => {
      const bytes = `readFileSync(${JSON.stringify(path)})`;
      const value = path.endsWith('.wasm') ? `new WebAssembly.Module(${bytes})` : bytes;
      return { contents: `import { readFileSync } from 'node:fs'; export default ${value};` };
    }),
};

/** Bundles a module in a function of the platform's `require`, the packages and the module that it fills. */
async function bundle(entry: string, file: string): Promise<void> {
  const packages = new Set<string>();
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    write: false,
    plugins: [sharedPackages(packages), binaryModules],
    logLevel: 'silent',
  });
  const code = `(function (require, packages, module) {${outputFiles[0]!.text}\n})`;
  const made = `${file}-${process.pid}`;
  writeFileSync(made, JSON.stringify({ packages: [...packages], code }));
  renameSync(made, file);
}

async function load<T>(entry: string): Promise<() => T> {
  const file = join(inject('runFolder'), `${basename(entry)}.json`);
  await withFolderLock(`${file}-lock`, async () => {
    if (!existsSync(file)) await bundle(entry, file);
  });
  const { packages: names, code } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: readonly string[];
    readonly code: string;
  };
  const entries = names.map(async (name) => [name, (await import(name)) as object] as const);
  const packages = Object.fromEntries(await Promise.all(entries));
  const evaluate = new Script(code, { filename: `${file}.cjs` }).runInThisContext() as Evaluate;
  const require = createRequire(import.meta.url);
  return () => {
    const module: { exports: unknown } = { exports: {} };
    evaluate(require, packages, module);
    return module.exports as T;
  };
}

const loaded = new Map<string, Promise<() => unknown>>();

/** Evaluates a module and all that it imports, without state of an earlier call. @param entry path from the root */
export async function freshModule<T>(entry: string): Promise<T> {
  const known = loaded.get(entry) ?? load(entry);
  loaded.set(entry, known);
  return (await known)() as T;
}

export async function createFreshApp(): Promise<App> {
  return (await freshModule<{ createApp(): App }>('workers/service/app.ts')).createApp();
}
