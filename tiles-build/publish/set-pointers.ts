// The charts of accounts have pointers and histories of their own, next to those of the public
// charts. Their builds are kept like public ones.

import { HISTORY_KEY, manifestKey, POINTER_KEY } from '../../shared/chart/manifest.ts';
import { setKey } from '../../shared/contract/charts.ts';
import type { Bucket } from './bucket.ts';
import { DamagedBuild, parseManifest } from './build-folder.ts';
import { parseHistory, readPointer, writeHistory } from './history.ts';

const SETS = 'sets/';

/** The same bucket with the pointer and history of an account. */
export function bucketOfSet<B extends Bucket>(bucket: B, account: string): B {
  const keyOfAccount = (key: string) =>
    key === POINTER_KEY || key === HISTORY_KEY ? setKey(account, key) : key;
  return {
    ...bucket,
    readText: (key: string) => bucket.readText(keyOfAccount(key)),
    putText: (key: string, text: string) => bucket.putText(keyOfAccount(key), text),
    delete: (key: string) => bucket.delete(keyOfAccount(key)),
  };
}

/**
 * Ids of the builds in the pointers and histories of all accounts; undefined if the bucket cannot be listed.
 * @throws DamagedBuild if one of them cannot be read
 */
export async function buildsOfSets(bucket: Bucket): Promise<ReadonlySet<string> | undefined> {
  const keys = await bucket.list(SETS);
  if (keys === undefined) return undefined;
  const ids = new Set<string>();
  for (const key of keys) {
    const text = await bucket.readText(key);
    if (text === undefined) continue;
    if (key.endsWith(`/${HISTORY_KEY}`)) for (const id of parseHistory(text, key)) ids.add(id);
    // A damaged history may have been deleted.
    if (key.endsWith(`/${POINTER_KEY}`)) ids.add((await parseManifest(text, key)).buildId);
  }
  return ids;
}

/**
 * Delete the manifests of builds of an account. Only its own history names them, because the id of a
 * build depends on the account. `pruneBuilds` deletes the parts that no other build names.
 * @param keep number of builds to keep, including the current one; 0 to remove the charts, also damaged ones
 * @param pause called between the removal of the charts and that of their manifests, if there are any
 * @returns ids of the kept builds, oldest first
 * @throws DamagedBuild if builds are kept and the pointer or history is damaged
 */
export async function dropBuildsOfSet(
  bucket: Bucket,
  account: string,
  keep: number,
  pause: () => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const accountBucket = bucketOfSet(bucket, account);
  if (keep === 0) {
    await removeSet(bucket, account, pause);
    return [];
  }
  const current = await readPointer(accountBucket);
  const listed = await listedBuilds(accountBucket, account);
  const distinct = listed.filter((id, at) => listed.lastIndexOf(id) === at);
  const kept = distinct.slice(-keep);
  if (kept.length < listed.length) await writeHistory(accountBucket, kept);
  for (const id of distinct) {
    if (!kept.includes(id) && id !== current?.buildId) await bucket.delete(manifestKey(id));
  }
  return kept;
}

async function removeSet(bucket: Bucket, account: string, pause: () => Promise<void>) {
  const accountBucket = bucketOfSet(bucket, account);
  const current = await unlessDamaged(readPointer(accountBucket));
  const ids = new Set(await unlessDamaged(listedBuilds(accountBucket, account)));
  if (current !== undefined) {
    // If this is interrupted, the history still names the builds.
    await writeHistory(accountBucket, [...ids.add(current.buildId)]);
  }
  await accountBucket.delete(POINTER_KEY);
  if (ids.size > 0) await pause();
  for (const id of ids) await bucket.delete(manifestKey(id));
  await accountBucket.delete(HISTORY_KEY);
}

/** Ids in the history of an account. @throws DamagedBuild */
async function listedBuilds(accountBucket: Bucket, account: string): Promise<readonly string[]> {
  const text = await accountBucket.readText(HISTORY_KEY);
  return text === undefined ? [] : parseHistory(text, setKey(account, HISTORY_KEY));
}

const unlessDamaged = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof DamagedBuild) return undefined;
    throw error;
  });
