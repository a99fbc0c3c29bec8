// Deletes old builds: builds that were current earlier, uploads that never became current, and the
// parts that only they name. Never deletes the current build.

import {
  BUILDS_PREFIX,
  buildIdOfKey,
  MANIFEST_FILE,
  type Manifest,
  manifestKey,
} from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { hashOfPartKey, PARTS_PREFIX, partKey } from '../../shared/chart/part-line.ts';
import type { Bucket } from './bucket.ts';
import { DamagedBuild, parseManifest } from './build-folder.ts';
import { readHistory, writeHistory } from './history.ts';
import { currentOf } from './publish.ts';
import { buildsOfSets } from './set-pointers.ts';
import { unfinishedUploads, whileUploadsWait } from './unfinished-uploads.ts';

/** The charts of accounts are unknown. Nothing was deleted. */
export class PruningRefused extends Error {}

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
  /** Whether the builds are of a kind that accounts do not have (default: false). */
  readonly isWithoutSets?: boolean;
  /** Report what would be removed, without removing it. */
  readonly dryRun?: boolean;
}

/**
 * Keep the `keep` latest builds, including the current one, and uploads that are not finished. An
 * interrupted run can be repeated: the manifests of builds are deleted after their
 * parts and, if the bucket can be listed, after their names in the history.
 *
 * @throws NothingToRollBack if nothing was published to the bucket; DamagedBuild if the manifest of a
 * kept build cannot be read, because its parts are unknown; PruningRefused if the charts of accounts are
 * unknown, because the bucket cannot be listed
 */
export async function pruneBuilds(bucket: Bucket, options: PruneOptions): Promise<Pruned> {
  await currentOf(bucket);
  if (options.dryRun) return prune(bucket, options);
  return whileUploadsWait(bucket, () => prune(bucket, options));
}

async function prune(bucket: Bucket, options: PruneOptions): Promise<Pruned> {
  // Before the pointer: an upload that ends in between is the current build then.
  const uploads = await unfinishedUploads(bucket);
  const current = await currentOf(bucket);
  const history = await readHistory(bucket, current.buildId);
  // A build can have been current several times; its latest position counts.
  const distinct = history.filter((id, at) => history.lastIndexOf(id) === at);
  const kept = distinct.slice(-Math.max(1, options.keep));
  const ofSets = options.isWithoutSets ? new Set<string>() : await buildsOfSets(bucket);
  if (ofSets === undefined) {
    throw new PruningRefused(
      'No build was deleted: wrangler cannot list a bucket, and charts of accounts may use the parts of old builds. ' +
        'Use --r2 BUCKET or --s3 BUCKET instead of --remote.',
    );
  }
  const isKept = (id: string) => kept.includes(id) || uploads.ids.has(id) || ofSets.has(id);
  const named = new Set([...uploads.parts, ...hashesOf(current)]);
  for (const id of new Set([...kept, ...ofSets])) {
    if (id !== current.buildId) for (const hash of await hashesOfBuild(bucket, id)) named.add(hash);
  }

  const { keys, isListed } = await keysIn(
    bucket,
    distinct.filter((id) => !isKept(id)),
  );
  const parts = keys.filter((key) => isOf(hashOfPartKey(key), (hash) => !named.has(hash)));
  const ofBuilds = keys.filter((key) => isOf(buildIdOfKey(key), (id) => !isKept(id)));
  const objects = [...parts, ...manifestsLast(ofBuilds), ...uploads.abandoned];
  const found = new Set(ofBuilds.map((key) => buildIdOfKey(key)!));
  const removed = [...new Set([...distinct.filter((id) => found.has(id)), ...found])];
  if (options.dryRun) return { kept, removed, objects: objects.length, abandonedUploads: 0 };
  const isOfBuild = (key: string) => buildIdOfKey(key) !== undefined;
  for (const key of objects.filter((key) => !isOfBuild(key))) await bucket.delete(key);
  const staying = history.filter((id) => kept.includes(id));
  const shorten = async () => {
    if (staying.length < history.length) await writeHistory(bucket, staying);
  };
  // A build in the history has a manifest, even if this is interrupted. Without a list of the bucket, only the
  // history names the manifests.
  if (isListed) await shorten();
  for (const key of objects.filter(isOfBuild)) await bucket.delete(key);
  if (!isListed) await shorten();
  const lost = await bucket.abandonUploads((key) =>
    isOf(hashOfPartKey(key), (it) => named.has(it)),
  );
  return { kept, removed, objects: objects.length, abandonedUploads: lost.length };
}

const isOf = (name: string | undefined, test: (name: string) => boolean): boolean =>
  name !== undefined && test(name);

const hashesOf = (manifest: Manifest): string[] => partsOf(manifest).map(({ sha256 }) => sha256);

/** @throws DamagedBuild */
async function hashesOfBuild(bucket: Bucket, id: string): Promise<string[]> {
  const key = manifestKey(id);
  const text = await bucket.readText(key);
  if (text === undefined) throw new DamagedBuild(`${key} is missing. Keep fewer builds.`);
  return hashesOf(await parseManifest(text, key));
}

/** All parts and manifests, or those of old builds if the bucket cannot be listed. */
async function keysIn(
  bucket: Bucket,
  old: readonly string[],
): Promise<{ readonly keys: readonly string[]; readonly isListed: boolean }> {
  const listed = await bucket.list(PARTS_PREFIX);
  if (listed !== undefined) {
    const ofBuilds = (await bucket.list(BUILDS_PREFIX)) ?? [];
    return { keys: [...listed, ...ofBuilds], isListed: true };
  }
  const keys = new Set<string>();
  for (const id of old) {
    if ((await bucket.readText(manifestKey(id))) === undefined) continue;
    for (const hash of await hashesOfBuild(bucket, id).catch(() => [])) keys.add(partKey(hash));
    keys.add(manifestKey(id));
  }
  return { keys: [...keys], isListed: false };
}

/** Delete the manifest of a build last, so that an interrupted run finds the build again. */
function manifestsLast(keys: readonly string[]): string[] {
  const isManifest = (key: string) => key.endsWith(`/${MANIFEST_FILE}`);
  return [...keys.filter((key) => !isManifest(key)), ...keys.filter(isManifest)];
}
