// Compiles the canvas of raster tiles from AssemblyScript to WebAssembly, if the sources, the compiler
// or its options have changed.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { generatedFile } from './generated-file.ts';

const SOURCES = ['shared/raster/canvas', 'shared/raster/paint/commands.ts'];
/** The compiled module, which the Worker imports. */
const OUTPUT_PATH = 'dist/wasm/canvas.wasm';

/**
 * The used part of the compiler's API. Its own types are not imported, because they redeclare globals such
 * as `console`.
 */
interface Compiler {
  main(
    args: readonly string[],
    files: {
      readFile(name: string, folder: string): string | null;
      writeFile(name: string, contents: Uint8Array): void;
      listFiles(): readonly string[];
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>;
}
const COMPILER: string = 'assemblyscript/asc';

const OPTIONS = [
  ...['--enable', 'simd', '--optimizeLevel', '3'],
  // The canvas allocates nothing, so it needs no runtime and no abort.
  ...['--runtime', 'stub', '--noAssert', '--use', 'abort='],
  // 6 MiB of fixed memory; its layout is in `memory.ts` and the tables next to it.
  ...['--initialMemory', '96', '--maximumMemory', '96'],
  // Warning 112: exported functions take vectors, which JavaScript cannot pass. It calls none of them.
  ...['--disableWarning', '112'],
];

/** Compile the canvas into `dist`, unless it is up to date. @returns path of the file */
export const buildCanvas = (root: string): Promise<string> =>
  generatedFile(join(root, OUTPUT_PATH), digestOf(root), () => compile(root));

/** @throws Error with the compiler's output */
async function compile(root: string): Promise<Uint8Array> {
  // The compiler is large and rarely needed.
  const { main } = (await import(COMPILER)) as Compiler;
  let bytes: Uint8Array | undefined;
  const entry = 'shared/raster/canvas/canvas.ts';
  const args = [entry, '--baseDir', root, '--outFile', 'canvas.wasm', ...OPTIONS];
  const { error, stderr } = await main(args, {
    readFile: (name, folder) => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : null;
    },
    writeFile: (_name, contents) => {
      bytes = contents;
    },
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`${entry}: ${error.message}\n${stderr.toString()}`);
  if (bytes === undefined) throw new Error(`${entry}: the compiler made nothing.`);
  return bytes;
}

function digestOf(root: string): string {
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/package.json');
  const hash = createHash('sha256').update(OPTIONS.join(' '));
  hash.update((JSON.parse(readFileSync(compiler, 'utf8')) as { version: string }).version);
  for (const path of SOURCES.flatMap((one) => filesOf(root, one))) {
    hash.update(path).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

const filesOf = (root: string, path: string): string[] =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(join(root, path))
        .filter((name) => name.endsWith('.ts'))
        .sort()
        .map((name) => `${path}/${name}`);
