// Finds the output of `npm run build`.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedFolder } from '../bundle/packed-folder.ts';
import type { ModuleKind } from './runtime-config.ts';

/** The list of the Worker's modules, in their folder. */
export const LIST = 'modules.json';

export interface Built {
  /** Folder of pages, symbols and fonts. */
  readonly assetsDir: string;
  /** Folder of the compressed assets. */
  readonly packedDir: string;
  /** Folder of the Worker's modules. */
  readonly workerDir: string;
  /** The entry module comes first. */
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
}

/** The output folder of a checkout at `root`. */
export const distOf = (root: string): string => join(root, 'dist');

/** @returns the build in `dist`, or `undefined` if there is no complete build */
export function builtAt(dist: string): Built | undefined {
  const workerDir = join(dist, 'standalone');
  const assetsDir = join(dist, 'assets');
  const packedDir = packedFolder(assetsDir);
  const list = join(workerDir, LIST);
  const needed = [list, join(assetsDir, 'index.html'), packedDir];
  if (!needed.every((path) => existsSync(path))) return undefined;
  return { assetsDir, packedDir, workerDir, modules: JSON.parse(readFileSync(list, 'utf8')) };
}
