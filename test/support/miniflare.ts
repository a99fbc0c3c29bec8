// Miniflare, which starts in half the CPU time. It enlarges the buffer of its configuration by 4 KB at a time, and
// copies the buffer each time, which contains megabytes of modules. Here it adds more at a time.

import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);

/** The members of Node's modules that its types lack. */
interface LoadedModule extends NodeJS.Module {
  _compile(source: string, path: string): void;
}

function load(): typeof import('miniflare') {
  const path = require.resolve('miniflare');
  if (require.cache[path] === undefined) {
    const module = new Module(path) as LoadedModule;
    const { _nodeModulePaths: foldersOf } = Module as unknown as {
      _nodeModulePaths(folder: string): string[];
    };
    Object.assign(module, { filename: path, paths: foldersOf(dirname(path)) });
    const source = readFileSync(path, 'utf8');
    module._compile(source.replace('SEGMENT_GROWTH = 4096', 'SEGMENT_GROWTH = 1 << 23'), path);
    module.loaded = true;
    require.cache[path] = module;
  }
  return require(path);
}

export const { Miniflare } = load();
export type Miniflare = InstanceType<typeof Miniflare>;
