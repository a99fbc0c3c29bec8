// Publishes builds: uploads a checked build under its id, reads it back, and then moves the
// pointer. A rollback moves the pointer to an earlier build. Objects of a build never change.

import { join } from 'node:path';
import {
  buildKey,
  MANIFEST_FILE,
  type Manifest,
  POINTER_KEY,
  withoutTimes,
} from '../../shared/chart/manifest.ts';
import { digestText, type FileDigest } from '../archive/file-digest.ts';
import type { Bucket } from './bucket.ts';
import { DamagedBuild, parseManifest, readBuild } from './build-folder.ts';
import { readHistory, readPointer, writeHistory } from './history.ts';

/** The bucket's content differs from the build. The pointer was not moved. */
export class UploadRefused extends Error {}

/** There is no build to roll back to. */
export class NothingToRollBack extends Error {}

export interface Published {
  readonly buildId: string;
  /** Keys uploaded by this run, in order, without those that already existed. */
  readonly uploaded: readonly string[];
  readonly pointerMoved: boolean;
}

/**
 * Publish the build in a folder. If the process is killed, the pointer still refers to a complete
 * build and the next run uploads what is missing.
 *
 * @param report called with each key after its object was stored and verified
 * @throws DamagedBuild before anything is uploaded; UploadRefused before the pointer moves
 */
export async function publishBuild(
  folder: string,
  bucket: Bucket,
  report: (key: string) => void = () => undefined,
): Promise<Published> {
  const { manifest, manifestText: ownText } = await readBuild(folder);
  const { buildId } = manifest;
  const uploaded: string[] = [];
  const store = async (file: string, expected: FileDigest) => {
    const key = buildKey(buildId, file);
    if (!(await storeOnce(bucket, key, join(folder, file), expected))) return;
    uploaded.push(key);
    report(key);
  };
  for (const archive of manifest.archives) await store(archive.file, archive);
  const published = await publishedManifest(bucket, manifest);
  if (published === undefined) await store(MANIFEST_FILE, digestText(ownText));
  const manifestText = published ?? ownText;

  const current = await readPointer(bucket);
  if (current?.buildId === buildId) return { buildId, uploaded, pointerMoved: false };
  await writeHistory(bucket, [...(await readHistory(bucket, current?.buildId)), buildId]);
  await bucket.putText(POINTER_KEY, manifestText);
  return { buildId, uploaded, pointerMoved: true };
}

/**
 * The manifest that the bucket already has for this build, if only its times differ (the same data
 * was built twice). Published builds are never overwritten, so the old manifest stays.
 */
async function publishedManifest(bucket: Bucket, own: Manifest): Promise<string | undefined> {
  const key = buildKey(own.buildId, MANIFEST_FILE);
  const text = await bucket.readText(key);
  if (text === undefined) return undefined;
  const isSame = (manifest: Manifest) =>
    JSON.stringify(withoutTimes(manifest)) === JSON.stringify(withoutTimes(own));
  try {
    return isSame(await parseManifest(text, key)) ? text : undefined;
  } catch (error) {
    if (error instanceof DamagedBuild) return undefined;
    throw error;
  }
}

interface RolledBack {
  readonly from: string;
  readonly to: string;
}

/**
 * Move the pointer to the previous build, or to `buildId` if given.
 * @throws NothingToRollBack; UploadRefused if the earlier build is incomplete or damaged
 */
export async function rollBack(bucket: Bucket, buildId?: string): Promise<RolledBack> {
  const current = await readPointer(bucket);
  if (current === undefined)
    throw new NothingToRollBack(
      'Nothing has been published to this bucket. Check its name, or publish a build first.',
    );
  const history = await readHistory(bucket, current.buildId);
  const at = buildId === undefined ? history.length - 2 : history.lastIndexOf(buildId);
  const to = history[at];
  if (to === undefined || to === current.buildId) {
    throw new NothingToRollBack(
      buildId === undefined
        ? `Build ${current.buildId} is the first one. There is no earlier build.`
        : `Build ${buildId} was never current. Earlier builds: ${history.slice(0, -1).join(', ') || 'none'}.`,
    );
  }
  const manifestText = await bucket.readText(buildKey(to, MANIFEST_FILE));
  if (manifestText === undefined)
    throw new UploadRefused(`The manifest of build ${to} is missing.`);
  for (const archive of (await parseManifest(manifestText, to)).archives) {
    const key = buildKey(to, archive.file);
    const found = await bucket.digest(key);
    if (found?.sha256 !== archive.sha256) {
      throw new UploadRefused(`${key} is missing or damaged, so build ${to} cannot be current.`);
    }
  }
  await bucket.putText(POINTER_KEY, manifestText);
  await writeHistory(bucket, history.slice(0, at + 1));
  return { from: current.buildId, to };
}

/**
 * Store a file under a key that is written only once. Returns false if the same bytes already
 * exist.
 */
async function storeOnce(
  bucket: Bucket,
  key: string,
  path: string,
  expected: FileDigest,
): Promise<boolean> {
  const before = await bucket.digest(key);
  if (before !== undefined) {
    if (before.sha256 === expected.sha256) return false;
    throw new UploadRefused(
      `${key} already exists with different content. Builds are never overwritten.`,
    );
  }
  await bucket.putFile(key, path, expected);
  const after = await bucket.digest(key);
  if (after?.sha256 === expected.sha256) return true;
  // Nothing refers to the damaged object yet. Delete it so that a retry can upload it again.
  await bucket.delete(key);
  throw new UploadRefused(`${key} was damaged during the upload. Publish again.`);
}
