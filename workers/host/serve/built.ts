// What `npm run build` made, as serving needs it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleKind } from './runtime-config.ts';

/** The list of the Worker's modules, in their folder. */
export const LIST = 'modules.json';

export interface Built {
  /** Folder of pages and artwork. */
  readonly assetsDir: string;
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
  const list = join(workerDir, LIST);
  if (!existsSync(list) || !existsSync(join(assetsDir, 'index.html'))) return undefined;
  return { assetsDir, workerDir, modules: JSON.parse(readFileSync(list, 'utf8')) };
}
