// Bundles the Worker as for the platform: one JavaScript module, and WebAssembly and fonts as modules.

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildCanvas } from './build-canvas.ts';
import { buildTides } from './build-tides.ts';

/** A module as the local runtime takes it. */
export interface WorkerModule {
  readonly type: 'ESModule' | 'CompiledWasm' | 'Data';
  readonly path: string;
  readonly contents: string | Uint8Array<ArrayBuffer>;
}

const ROOT = resolve(import.meta.dirname, '../../..');

/** Bundle the Worker (or another entry, for tests and benches). */
export async function bundleWorker(
  entry = resolve(ROOT, 'workers/service/index.ts'),
): Promise<WorkerModule[]> {
  await buildCanvas(ROOT);
  await buildTides(ROOT);
  const beside: WorkerModule[] = [];
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['module', 'main'],
    external: ['cloudflare:*', 'node:*', 'pg-native'],
    write: false,
    outfile: resolve(ROOT, 'dist/worker/index.js'),
    plugins: [modulesBeside(beside), importRequired()],
    logLevel: 'silent',
  });
  return [{ type: 'ESModule', path: 'index.js', contents: result.outputFiles[0]!.text }, ...beside];
}

/**
 * CommonJS packages require Node's modules, some without `node:`, but the runtime only imports them.
 * Wrangler does the same for a deployment.
 */
function importRequired(): Plugin {
  const namespace = 'required';
  return {
    name: 'import-required',
    setup(context) {
      context.onResolve({ filter: /^[\w:/]+$/ }, ({ kind, path }) =>
        kind === 'require-call' && isBuiltin(path)
          ? { path: path.startsWith('node:') ? path : `node:${path}`, namespace }
          : undefined,
      );
      context.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `import whole from '${path}';\nmodule.exports = whole;`,
      }));
    },
  };
}

/** Keep binary imports outside the bundle, as separate modules. */
function modulesBeside(beside: WorkerModule[]): Plugin {
  return {
    name: 'modules-beside',
    setup(context) {
      context.onResolve({ filter: /\.(wasm|ttf|bin)$/ }, async (wanted) => {
        if (wanted.pluginData === 'resolved') return undefined;
        const { resolveDir, kind, importer } = wanted;
        const found = await context.resolve(wanted.path, {
          resolveDir,
          kind,
          importer,
          pluginData: 'resolved',
        });
        const path = `m${beside.length}-${found.path.split(/[\\/]/).at(-1)}`;
        beside.push({
          type: found.path.endsWith('.wasm') ? 'CompiledWasm' : 'Data',
          path,
          contents: new Uint8Array(readFileSync(found.path)),
        });
        return { path: `./${path}`, external: true };
      });
    },
  };
}
