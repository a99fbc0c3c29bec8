// Publishes builds: uploads the checked parts that the bucket does not have, reads them back, and then
// moves the pointer. A rollback moves the pointer to an earlier build. Published objects never change.

import { join } from 'node:path';
import {
  MANIFEST_FILE,
  type Manifest,
  manifestKey,
  POINTER_KEY,
  withoutTimes,
} from '../../shared/chart/manifest.ts';
import { partsOf } from '../../shared/chart/part-index.ts';
import { type Part, partKey } from '../../shared/chart/part-line.ts';
import { digestText, type FileDigest } from '../archive/file-digest.ts';
import type { Bucket } from './bucket.ts';
import { checkParts, DamagedBuild, openBuild, parseManifest } from './build-folder.ts';
import { readHistory, readPointer, writeHistory } from './history.ts';
import { announceUpload, endUpload } from './unfinished-uploads.ts';

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

interface PublishOptions {
  /** Called with each key after its object was stored and verified. */
  readonly report?: (key: string) => void;
  /** Reads another current build of the bucket, whose parts were verified. */
  readonly below?: () => Promise<Manifest | undefined>;
}

/**
 * Publish the build in a folder. If the process is killed, the pointer still refers to a complete
 * build and the next run uploads what is missing.
 *
 * @throws DamagedBuild before anything is uploaded; UploadRefused before the pointer moves;
 * BucketBusy if builds are being deleted
 */
export async function publishBuild(
  folder: string,
  bucket: Bucket,
  { report, below }: PublishOptions = {},
): Promise<Published> {
  const build = await openBuild(folder);
  const { manifest, manifestText: ownText } = build;
  const { buildId } = manifest;
  let current = await readPointer(bucket);
  // The parts of the current build are never deleted.
  const isAnnounced = current?.buildId !== buildId;
  if (isAnnounced) {
    await announceUpload(bucket, buildId, partsOf(manifest));
    current = await readPointer(bucket);
  }
  const isMissing =
    isAnnounced && current?.buildId !== buildId ? notIn(current, await below?.()) : () => true;
  await checkParts(build, isMissing).catch(async (error: unknown) => {
    if (isAnnounced) await endUpload(bucket, buildId);
    throw error;
  });

  const uploaded: string[] = [];
  const stored = (key: string) => {
    uploaded.push(key);
    report?.(key);
  };
  await storeParts(bucket, folder, partsOf(manifest).filter(isMissing), stored);
  const published = await publishedManifest(bucket, manifest);
  if (published === undefined) {
    const path = join(folder, MANIFEST_FILE);
    await storeManifest(bucket, manifestKey(buildId), path, digestText(ownText));
    stored(manifestKey(buildId));
  }
  const pointerMoved = current?.buildId !== buildId;
  if (pointerMoved) {
    await writeHistory(bucket, [...(await readHistory(bucket, current?.buildId)), buildId]);
    await bucket.putText(POINTER_KEY, published ?? ownText);
  }
  if (isAnnounced) await endPublished(bucket, buildId);
  return { buildId, uploaded, pointerMoved };
}

/**
 * A current build counts as published even if its announcement cannot be deleted. The announcement then expires.
 */
const endPublished = (bucket: Bucket, buildId: string): Promise<void> =>
  endUpload(bucket, buildId).catch(() => undefined);

/** Number of parts uploaded concurrently. */
const AT_ONCE = 4;

/** Whether a part is in none of these published builds, whose parts were verified. */
function notIn(...published: readonly (Manifest | undefined)[]): (part: Part) => boolean {
  const known = new Set(
    published.flatMap((one) => (one === undefined ? [] : partsOf(one).map(({ sha256 }) => sha256))),
  );
  return ({ sha256 }) => !known.has(sha256);
}

/**
 * The manifest that the bucket already has for this build, if only its times differ (the same data
 * was built twice). Published builds are never overwritten, so the old manifest stays.
 */
async function publishedManifest(bucket: Bucket, own: Manifest): Promise<string | undefined> {
  const key = manifestKey(own.buildId);
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
  const current = await currentOf(bucket);
  const history = await readHistory(bucket, current.buildId);
  const at = buildId === undefined ? history.length - 2 : history.lastIndexOf(buildId);
  const to = history[at];
  if (buildId === current.buildId)
    throw new NothingToRollBack(`Build ${buildId} is current already.`);
  if (to === undefined || to === current.buildId) {
    throw new NothingToRollBack(
      buildId === undefined
        ? `Build ${current.buildId} is the first one. There is no earlier build.`
        : `Build ${buildId} was never current. Earlier builds: ${history.slice(0, -1).join(', ') || 'none'}.`,
    );
  }
  await whileVerified(bucket, to, current, async (manifestText) => {
    await bucket.putText(POINTER_KEY, manifestText);
    await writeHistory(bucket, history.slice(0, at + 1));
  });
  return { from: current.buildId, to };
}

/** The manifest of the current build. @throws NothingToRollBack */
export async function currentOf(bucket: Bucket): Promise<Manifest> {
  const current = await readPointer(bucket);
  if (current !== undefined) return current;
  throw new NothingToRollBack(
    'Nothing has been published to this bucket. Check its name, or publish a build first.',
  );
}

/**
 * Move the pointer to an earlier build. Unlike after a rollback, the later builds stay in the history.
 * @throws NothingToRollBack; UploadRefused if the earlier build is incomplete or damaged; BucketBusy
 */
export async function returnTo(bucket: Bucket, buildId: string): Promise<void> {
  const current = await readPointer(bucket);
  const history = await readHistory(bucket, current?.buildId);
  if (current === undefined || !history.includes(buildId)) {
    throw new NothingToRollBack(`Build ${buildId} is not in the history.`);
  }
  if (buildId === current.buildId) return;
  await whileVerified(bucket, buildId, current, async (manifestText) => {
    await writeHistory(bucket, [...history, buildId]);
    await bucket.putText(POINTER_KEY, manifestText);
  });
}

/** Protect the parts of an earlier build, verify them, and then make it current. */
async function whileVerified(
  bucket: Bucket,
  to: string,
  current: Manifest,
  move: (manifestText: string) => Promise<void>,
): Promise<void> {
  const manifestText = await bucket.readText(manifestKey(to));
  if (manifestText === undefined)
    throw new UploadRefused(`The manifest of build ${to} is missing.`);
  const parts = partsOf(await parseManifest(manifestText, to));
  await announceUpload(bucket, to, parts);
  for (const part of parts.filter(notIn(current))) {
    const key = partKey(part.sha256);
    const found = await bucket.digest(key);
    if (found?.sha256 !== part.sha256) {
      await endUpload(bucket, to);
      throw new UploadRefused(`${key} is missing or damaged, so build ${to} cannot be current.`);
    }
  }
  await move(manifestText);
  await endPublished(bucket, to);
}

/** Store parts. @param stored called with the key of each part that the bucket did not have */
async function storeParts(
  bucket: Bucket,
  folder: string,
  parts: readonly Part[],
  stored: (key: string) => void,
): Promise<void> {
  const different = [...new Map(parts.map((part) => [part.sha256, part])).values()];
  for (let i = 0; i < different.length; i += AT_ONCE) {
    const batch = different.slice(i, i + AT_ONCE);
    const isNew = await Promise.all(batch.map((part) => storePart(bucket, folder, part)));
    for (const [j, { sha256 }] of batch.entries()) if (isNew[j]) stored(partKey(sha256));
  }
}

/**
 * Store a part. A damaged part in the bucket is replaced, because its name is its hash.
 * @returns false if the bucket has the part
 */
async function storePart(bucket: Bucket, folder: string, part: Part): Promise<boolean> {
  const key = partKey(part.sha256);
  if ((await bucket.digest(key))?.sha256 === part.sha256) return false;
  await putVerified(bucket, key, join(folder, key), part);
  return true;
}

async function storeManifest(
  bucket: Bucket,
  key: string,
  path: string,
  expected: FileDigest,
): Promise<void> {
  if ((await bucket.digest(key)) !== undefined) {
    throw new UploadRefused(
      `${key} already exists with different content. Builds are never overwritten.`,
    );
  }
  await putVerified(bucket, key, path, expected);
}

async function putVerified(
  bucket: Bucket,
  key: string,
  path: string,
  expected: FileDigest,
): Promise<void> {
  await bucket.putFile(key, path, expected);
  const after = await bucket.digest(key);
  if (after?.sha256 === expected.sha256) return;
  // Delete the damaged object so that a retry can upload it again.
  await bucket.delete(key);
  throw new UploadRefused(`${key} was damaged during the upload. Publish again.`);
}
