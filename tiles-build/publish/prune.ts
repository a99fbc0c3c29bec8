// Deletes old builds: builds that were current earlier, and uploads that never became current.
// Never deletes the current build.

import {
  BUILDS_PREFIX,
  buildIdOfKey,
  buildKey,
  MANIFEST_FILE,
  type Manifest,
} from '../../shared/chart/manifest.ts';
import type { Bucket } from './bucket.ts';
import { DamagedBuild, parseManifest } from './build-folder.ts';
import { readHistory, readPointer, writeHistory } from './history.ts';
import { NothingToRollBack } from './publish.ts';

export interface Pruned {
  /** Ids of the remaining builds, oldest first. The last one is current. */
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  readonly objects: number;
  /** Unfinished uploads that belong to no remaining build. */
  readonly abandonedUploads: number;
}

interface PruneOptions {
  /** Number of builds to keep, including the current one; at least 1. */
  readonly keep: number;
  /** Report what would be removed, without removing it. */
  readonly dryRun?: boolean;
}

/**
 * Keep the `keep` latest builds, including the current one. An interrupted run can be repeated: a
 * build's manifest is deleted after its archives, and the history is written last.
 *
 * @throws NothingToRollBack if nothing was published to the bucket
 */
export async function pruneBuilds(bucket: Bucket, options: PruneOptions): Promise<Pruned> {
  const current = await readPointer(bucket);
  if (current === undefined)
    throw new NothingToRollBack(
      'Nothing has been published to this bucket. Check its name, or publish a build first.',
    );
  const history = await readHistory(bucket, current.buildId);
  // A build can have been current several times; its latest position counts.
  const distinct = history.filter((id, at) => history.lastIndexOf(id) === at);
  const kept = distinct.slice(-Math.max(1, options.keep));
  const isKept = (key: string) => kept.includes(buildIdOfKey(key) ?? '');

  const listed = await bucket.list(BUILDS_PREFIX);
  const keys = new Map<string, readonly string[]>();
  for (const id of distinct.filter((one) => !kept.includes(one))) {
    keys.set(id, await keysOfBuild(bucket, id));
  }
  for (const key of listed ?? []) {
    const id = buildIdOfKey(key);
    if (id === undefined || kept.includes(id)) continue;
    keys.set(id, [...(keys.get(id) ?? []).filter((one) => one !== key), key]);
  }
  const removed = [...keys].filter(([, ofBuild]) => ofBuild.length > 0).map(([id]) => id);
  const objects = [...keys.values()].flatMap(manifestLast);
  if (options.dryRun) {
    return { kept, removed, objects: objects.length, abandonedUploads: 0 };
  }
  for (const key of objects) await bucket.delete(key);
  const abandoned = await bucket.abandonUploads(isKept);
  const staying = history.filter((id) => kept.includes(id));
  if (staying.length < history.length) await writeHistory(bucket, staying);
  return { kept, removed, objects: objects.length, abandonedUploads: abandoned.length };
}

/** Object keys from a build's manifest, for buckets that cannot be listed. */
async function keysOfBuild(bucket: Bucket, id: string): Promise<readonly string[]> {
  const key = buildKey(id, MANIFEST_FILE);
  const text = await bucket.readText(key);
  if (text === undefined) return [];
  return [...(await filesOf(text, key)).map((file) => buildKey(id, file)), key];
}

async function filesOf(text: string, from: string): Promise<readonly string[]> {
  try {
    const { archives }: Manifest = await parseManifest(text, from);
    return archives.map(({ file }) => file);
  } catch (error) {
    if (error instanceof DamagedBuild) return [];
    throw error;
  }
}

/** Delete the manifest last, so that an interrupted run finds the build again. */
function manifestLast(keys: readonly string[]): string[] {
  const isManifest = (key: string) => key.endsWith(`/${MANIFEST_FILE}`);
  return [...keys.filter((key) => !isManifest(key)), ...keys.filter(isManifest)];
}
