// What `npm run build` made, as serving needs it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedFolder } from '../bundle/packed-folder.ts';
import type { ModuleKind } from './runtime-config.ts';

/** The list of the Worker's modules, in their folder. */
export const LIST = 'modules.json';

export interface Built {
  /** Folder of pages and artwork. */
  readonly assetsDir: string;
  /** Folder of their compressed copies. */
  readonly packedDir: string;
  /** Folder of the Worker's modules, its entry first. */
  readonly workerDir: string;
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
}

/** The folder that holds what was made, of a checkout at `root`. */
export const distOf = (root: string): string => join(root, 'dist');

/** What `npm run build` left; undefined where it did not run to its end. */
export function builtAt(dist: string): Built | undefined {
  const workerDir = join(dist, 'standalone');
  const assetsDir = join(dist, 'assets');
  const packedDir = packedFolder(assetsDir);
  const list = join(workerDir, LIST);
  const needed = [list, join(assetsDir, 'index.html'), packedDir];
  if (!needed.every((path) => existsSync(path))) return undefined;
  return { assetsDir, packedDir, workerDir, modules: JSON.parse(readFileSync(list, 'utf8')) };
}
