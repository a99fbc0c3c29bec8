// Runs work in a process with limited memory. If it needs more, the process ends. The limit applies to the
// heap of the script engine, not to the bytes of typed arrays.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { build, type Plugin } from 'esbuild';

/**
 * Runs a function of a module in a process whose script engine has a limited heap.
 * @param path of the module, absolute
 * @param name of a function that takes the data, which must be JSON, and returns a text
 * @returns that text, or `out of memory`
 */
export async function withinMemory(
  path: string,
  name: string,
  megabytes: number,
  data: unknown,
): Promise<string> {
  const made = await build({
    stdin: {
      contents: `import { ${name} } from ${JSON.stringify(path)};
        ${name}(${JSON.stringify(data)}).then((found) => process.stdout.write(found));`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    loader: { '.wasm': 'empty', '.ttf': 'empty', '.bin': 'empty' },
    plugins: [compiledCanvas],
    logLevel: 'error',
  });
  const bounds = [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=1', '--expose-gc'];
  const child = spawn(process.execPath, [...bounds, '-'], { stdio: 'pipe' });
  child.stdin.end(made.outputFiles[0]!.text);
  const [found, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (/heap out of memory|invalid array length/i.test(said)) return 'out of memory';
  if (said !== '') throw new Error(said);
  return found;
}

/** The WebAssembly module that paints, compiled when it is first used. */
const compiledCanvas: Plugin = {
  name: 'compiled-canvas',
  setup: (context) =>
    context.onLoad({ filter: /canvas\.wasm$/ }, ({ path }) => ({
      contents: `export default new WebAssembly.Module(Buffer.from('${readFileSync(path).toString('base64')}', 'base64'));`,
      loader: 'js',
    })),
};
