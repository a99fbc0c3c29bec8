// Removes files that no build needs: unfinished files of killed builds, and parts of earlier builds.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, type Manifest } from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { hashOfPartKey, PARTS_PREFIX } from '../../shared/chart/part-line.ts';
import { isRunning } from '../archive/is-running.ts';
import { readUnfinished } from '../archive/unfinished.ts';
import { TILESETS } from './tilesets.ts';

/** Remove unfinished files of killed builds from the folder of the charts. */
export function removeUnfinished(folder: string): void {
  removeUnfinishedIn(folder, (file) => file === MANIFEST_FILE);
  const parts = join(folder, PARTS_PREFIX);
  // A part has its name when it is complete, and when it is copied from another cache.
  const isPart = (file: string) =>
    TILESETS.some((tileset) => file === `${tileset}.pmtiles`) ||
    hashOfPartKey(`${PARTS_PREFIX}${file}`) !== undefined;
  if (existsSync(parts)) removeUnfinishedIn(parts, isPart);
}

/** The same for all folders of a cache, whose files are all written by builds. */
export function removeUnfinishedInCache(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeUnfinishedIn(join(folder, entry.name), () => true);
  }
}

/** @param isOurs takes the finished file name */
function removeUnfinishedIn(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const found = readUnfinished(name);
    if (found !== undefined && isOurs(found.file) && !isRunning(found.pid)) {
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
