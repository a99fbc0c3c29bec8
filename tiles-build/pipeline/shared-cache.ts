// What all builds by one version of the code have in common: the tiles of the background that no cell
// touches, and its coasts. Kept beside the packages and not beside the charts, so that the world is cut
// once per version and not once per folder of charts.

import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildCache, openBuildCache } from './build-cache.ts';
import { removeUnfinishedInCache } from './write-archive.ts';

const HERE = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
/** Where tools of Node keep what can be made again. */
const FOLDER = resolve(HERE, '../../node_modules/.cache/leadline/builds');
/** Versions of the code, the newest of which are kept: a few for those who go to and fro. */
const VERSIONS_KEPT = 4;

/**
 * The cache of a version of the code; undefined where its folder cannot be written.
 *
 * @param code digest of the code. @param folder of all versions
 */
export function openSharedCache(code: string, folder = FOLDER): BuildCache | undefined {
  const own = join(folder, code);
  try {
    mkdirSync(own, { recursive: true });
    const now = new Date();
    utimesSync(own, now, now);
    for (const name of olderVersions(folder)) rmSync(join(folder, name), { recursive: true });
    const cache = openBuildCache(own);
    // What builds that were killed left: nothing prunes this cache.
    removeUnfinishedInCache(own);
    return cache;
  } catch {
    // A container or another user's: everything is made for the folder of charts alone.
    return undefined;
  }
}

function olderVersions(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => ({ name, usedAt: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(VERSIONS_KEPT)
    .map(({ name }) => name);
}
