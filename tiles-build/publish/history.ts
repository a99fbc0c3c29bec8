// The list of builds that were current, oldest first, for rollbacks. The pointer decides which
// build is current; this list can be one build behind or ahead and is repaired when it is read.

import {
  HISTORY_KEY,
  historySchema,
  type Manifest,
  POINTER_KEY,
} from '../../shared/chart/manifest.ts';
import { EarlierManifest } from '../../shared/chart/read-manifest.ts';
import type { Bucket } from './bucket.ts';
import { DamagedBuild, parseManifest } from './build-folder.ts';

/**
 * The manifest in the pointer, or `undefined` if nothing is published or the manifest has an
 * earlier format.
 */
export async function readPointer(bucket: Bucket): Promise<Manifest | undefined> {
  const text = await bucket.readText(POINTER_KEY);
  if (text === undefined) return undefined;
  try {
    return await parseManifest(text, POINTER_KEY);
  } catch (error) {
    if (error instanceof DamagedBuild && error.cause instanceof EarlierManifest) return undefined;
    throw error;
  }
}

/** Ids of the builds that were current, oldest first. The last one is `currentId`. */
export async function readHistory(
  bucket: Bucket,
  currentId: string | undefined,
): Promise<readonly string[]> {
  if (currentId === undefined) return [];
  const text = await bucket.readText(HISTORY_KEY);
  const listed = text === undefined ? [] : parseHistory(text);
  const at = listed.lastIndexOf(currentId);
  return at === -1 ? [...listed, currentId] : listed.slice(0, at + 1);
}

/** The ids in a list of builds. @throws DamagedBuild */
export function parseHistory(text: string, key: string = HISTORY_KEY): readonly string[] {
  try {
    return historySchema.parse(JSON.parse(text)).buildIds;
  } catch {
    throw new DamagedBuild(`${key} in the bucket is damaged. Delete it, then try again.`);
  }
}

export async function writeHistory(bucket: Bucket, buildIds: readonly string[]): Promise<void> {
  await bucket.putText(HISTORY_KEY, `${JSON.stringify({ format: 1, buildIds }, null, 1)}\n`);
}
