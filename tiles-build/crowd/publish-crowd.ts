// Publishes the archive of crowdsourced depths. The state has the complete archive, so damaged
// objects of the bucket are replaced. Otherwise withdrawn soundings would stay in what is published.

import { HISTORY_KEY, manifestKey, POINTER_KEY } from '../../shared/chart/manifest.ts';
import type { Bucket } from '../publish/bucket.ts';
import { DamagedBuild, openBuild, parseManifest } from '../publish/build-folder.ts';
import { readHistory, readPointer, writeHistory } from '../publish/history.ts';
import { pruneBuilds } from '../publish/prune.ts';
import { type Published, publishBuild } from '../publish/publish.ts';

/** Epoch milliseconds when the pointer last moved. */
const MOVED_KEY = 'moved-at.txt';
/** The service may use an earlier archive for two minutes after that. */
const READERS_MS = 180_000;

/**
 * A later run without a change deletes all earlier archives: they can contain withdrawn soundings.
 * @param keep archives that stay after a change
 * @returns also the keys of damaged objects that were deleted first
 */
export async function publishCrowd(
  folder: string,
  bucket: Bucket,
  keep: number,
): Promise<Published & { readonly damaged: readonly string[] }> {
  const { manifest } = await openBuild(folder);
  const damaged = await deleteDamaged(bucket, manifest.buildId);
  const published = await publishBuild(folder, bucket);
  if (published.pointerMoved) await bucket.putText(MOVED_KEY, `${Date.now()}`);
  const movedAt = Number(await bucket.readText(MOVED_KEY));
  const hasReaders = Math.abs(Date.now() - movedAt) < READERS_MS;
  await pruneBuilds(bucket, { keep: hasReaders ? keep : 1, isWithoutSets: true });
  return { ...published, damaged };
}

/**
 * Deletes a pointer, a list of builds and manifests that cannot be read. Then the list contains only
 * the current build, and `pruneBuilds` deletes the others.
 */
async function deleteDamaged(bucket: Bucket, ownId: string): Promise<readonly string[]> {
  const damaged: string[] = [];
  const read = <T>(key: string, value: Promise<T>): Promise<T | undefined> =>
    value.catch((error: unknown) => {
      if (!(error instanceof DamagedBuild)) throw error;
      damaged.push(key);
      return undefined;
    });
  const current = await read(POINTER_KEY, readPointer(bucket));
  const history = (await read(HISTORY_KEY, readHistory(bucket, current?.buildId))) ?? [];
  for (const id of new Set([...history, ownId])) {
    const key = manifestKey(id);
    const text = await bucket.readText(key);
    if (text !== undefined) await read(key, parseManifest(text, key));
    else if (id !== ownId) damaged.push(key);
  }
  for (const key of damaged) await bucket.delete(key);
  if (damaged.length > 0 && current !== undefined) await writeHistory(bucket, [current.buildId]);
  return damaged;
}
