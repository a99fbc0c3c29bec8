// Removes files that no build needs: unfinished files of killed builds, and parts of earlier builds.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, type Manifest } from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { hashOfPartKey, PARTS_PREFIX } from '../../shared/chart/part-line.ts';
import { isRunning } from '../archive/is-running.ts';
import { readUnfinished } from '../archive/unfinished.ts';
import { TILESETS } from './tilesets.ts';

/**
 * Remove unfinished files of killed builds from the folder of the charts, which must be locked: then
 * no build writes them, even if a process has the id in their name.
 */
export function removeUnfinished(folder: string): void {
  removeUnfinishedIn(folder, ({ file }) => file === MANIFEST_FILE);
  const parts = join(folder, PARTS_PREFIX);
  // A part has its name when it is complete, and when it is copied from another cache.
  const isPart = ({ file }: UnfinishedFile) =>
    TILESETS.some((tileset) => file === `${tileset}.pmtiles`) ||
    hashOfPartKey(`${PARTS_PREFIX}${file}`) !== undefined;
  if (existsSync(parts)) removeUnfinishedIn(parts, isPart);
}

/** Remove those of processes that have ended from all folders of a cache, which builds share. */
export function removeUnfinishedInCache(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory())
      removeUnfinishedIn(join(folder, entry.name), ({ pid }) => !isRunning(pid));
  }
}

type UnfinishedFile = NonNullable<ReturnType<typeof readUnfinished>>;

function removeUnfinishedIn(folder: string, isLeft: (found: UnfinishedFile) => boolean): void {
  for (const name of readdirSync(folder)) {
    const found = readUnfinished(name);
    if (found !== undefined && isLeft(found)) {
      rmSync(join(folder, name), { force: true, recursive: true });
    }
  }
}

/** Remove the parts that the manifest does not name. */
export function removeOtherParts(folder: string, manifest: Manifest): void {
  const named = new Set(partsOf(manifest).map(({ sha256 }) => sha256));
  for (const name of readdirSync(join(folder, PARTS_PREFIX))) {
    const hash = hashOfPartKey(`${PARTS_PREFIX}${name}`);
    if (hash !== undefined && !named.has(hash)) {
      rmSync(join(folder, PARTS_PREFIX, name), { force: true });
    }
  }
}
