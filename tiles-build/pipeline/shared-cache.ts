// The cache that all builds with one version of the code share: background tiles that no cell touches, the
// background of the first build, and coasts. It is kept in node_modules instead of with the charts, so that the world
// is cut once per version of the code and not once per folder of charts.

import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildCache, openBuildCache } from './build-cache.ts';
import { removeUnfinishedInCache } from './out-folder.ts';

const HERE = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
/** The usual folder for caches of Node tools. */
const FOLDER = resolve(HERE, '../../node_modules/.cache/leadline/builds');
/** Number of versions of the code to keep, for developers who switch between them. */
const VERSIONS_KEPT = 4;

/**
 * Open the cache of a version of the code; `undefined` if its folder cannot be written.
 *
 * @param code digest of the code. @param folder parent folder of all versions
 */
export function openSharedCache(code: string, folder = FOLDER): BuildCache | undefined {
  const cacheFolder = join(folder, code);
  try {
    mkdirSync(cacheFolder, { recursive: true });
    const now = new Date();
    utimesSync(cacheFolder, now, now);
    for (const name of olderVersions(folder)) rmSync(join(folder, name), { recursive: true });
    const cache = openBuildCache(cacheFolder);
    // Unfinished files of killed builds; nothing else prunes this cache.
    removeUnfinishedInCache(cacheFolder);
    return cache;
  } catch {
    // Read-only, as in a container: everything is made in the cache of the charts.
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
