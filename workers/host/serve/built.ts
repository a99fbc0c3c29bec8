// Finds the output of `npm run build`, and compares it with the sources.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedFolder } from '../bundle/packed-folder.ts';
import type { ModuleKind } from './runtime-config.ts';

/** The note of a build, in the folder of the Worker's modules. */
export const LIST = 'modules.json';

export interface BuildNote {
  /** Digest of the sources; see `sourcesOf`. */
  readonly sources?: string | undefined;
  /** The Worker's modules; the entry module comes first. */
  readonly modules: readonly { readonly name: string; readonly kind: ModuleKind }[];
}

/** The note of the programs, in their folder: the digest of their sources. */
export const PROGRAMS_NOTE = 'sources.txt';

const SOURCES = ['migrations', 'shared', 'tiles-build', 'workers'];
/** The files that a build can contain. Operators and operating systems put other files next to them. */
const IS_SOURCE = /\.(css|html|json|mjs|png|sql|svg|ts|webmanifest)$|docs\/guides\/[^/]+\.md$/;
/** Folders of operators (settings, charts and backups), and the output of `npm run client`. */
const NOT_BUILT = [
  'workers/host/serve/container',
  'workers/host/serve/watching',
  'workers/web/client/dist',
];

/** A digest of the sources of a build; `undefined` in a container, which has no sources. */
export function sourcesOf(root: string): string | undefined {
  if (!existsSync(join(root, 'workers'))) return undefined;
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const path of SOURCES.flatMap((folder) => filesBelow(root, folder)).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesBelow(root: string, folder: string): string[] {
  if (NOT_BUILT.includes(folder)) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.isFile() && IS_SOURCE.test(path) ? [path] : [];
  });
}

export interface Built extends Pick<BuildNote, 'modules'> {
  /** Folder of pages, symbols and fonts. */
  readonly assetsDir: string;
  /** Folder of the compressed assets. */
  readonly packedDir: string;
  /** Folder of the Worker's modules. */
  readonly workerDir: string;
}

/** The output folder of a checkout at `root`. */
export const distOf = (root: string): string => join(root, 'dist');

/**
 * @param expected digest of the sources that the build must be made from; `undefined` for any
 * @param programs folder of the running programs, if they belong to the build
 * @returns the build in `dist`; `undefined` if it is incomplete or of other sources
 */
export function builtAt(dist: string, expected?: string, programs?: string): Built | undefined {
  const workerDir = join(dist, 'standalone');
  const assetsDir = join(dist, 'assets');
  const packedDir = packedFolder(assetsDir);
  const list = join(workerDir, LIST);
  if (expected !== undefined && programs !== undefined && noteIn(programs) !== expected)
    return undefined;
  const needed = [list, join(assetsDir, 'index.html'), packedDir];
  if (!needed.every((path) => existsSync(path))) return undefined;
  const { sources, modules } = JSON.parse(readFileSync(list, 'utf8')) as Partial<BuildNote>;
  // Older versions wrote only the modules, as a list.
  if (modules === undefined || (expected !== undefined && sources !== expected)) return undefined;
  return { assetsDir, packedDir, workerDir, modules };
}

function noteIn(programs: string): string | undefined {
  const path = join(programs, PROGRAMS_NOTE);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
