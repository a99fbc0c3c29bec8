// Uploads and deletions exclude each other: an upload announces its parts and then looks for a
// deletion; a deletion announces itself and then looks for uploads. So at least one of them sees the
// other, and no part that an upload counts on is deleted.

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Part } from '../../shared/chart/part-line.ts';
import { hasEnded, processMark } from '../archive/is-running.ts';
import { type Bucket, BucketUnavailable } from './bucket.ts';
import { DamagedBuild } from './build-folder.ts';

const UPLOADS_PREFIX = 'uploads/';
/** One object for each deletion, which is renewed while it runs. */
const PRUNING_PREFIX = 'pruning';
/** In a bucket that cannot be listed. */
const ONLY_PRUNING_KEY = `${PRUNING_PREFIX}.json`;
const RENEWAL_MS = 60_000;

const DAY_MS = 24 * 3_600_000;
/** An upload that is older was abandoned. */
const UPLOAD_MS = 7 * DAY_MS;
/** A deletion of another machine that was not renewed for this long was killed. */
export const PRUNING_MS = 300_000;

const startedSchema = z.object({ startedAt: z.number() });
const deletionSchema = startedSchema.extend({ process: z.string().optional() });
const uploadSchema = startedSchema.extend({ parts: z.array(z.string()) });

const uploadKey = (buildId: string): string => `${UPLOADS_PREFIX}${buildId}.json`;
const idOfKey = (key: string): string => key.slice(UPLOADS_PREFIX.length, -'.json'.length);

/** Objects of the bucket are being deleted. */
export class BucketBusy extends BucketUnavailable {}

/** Protect the parts of a build until `endUpload`. @throws BucketBusy */
export async function announceUpload(
  bucket: Bucket,
  buildId: string,
  parts: readonly Part[],
): Promise<void> {
  const upload = { startedAt: Date.now(), parts: parts.map(({ sha256 }) => sha256) };
  await bucket.putText(uploadKey(buildId), JSON.stringify(upload));
  const deletions = await deletionsIn(
    bucket,
    (await bucket.list(PRUNING_PREFIX)) ?? [ONLY_PRUNING_KEY],
  );
  if (!deletions.some(({ isActive }) => isActive)) return;
  await endUpload(bucket, buildId);
  throw new BucketBusy(
    'Old builds are being deleted from this bucket. Publish again when "charts prune" has ended. If it ' +
      'was interrupted, run it again.',
  );
}

export const endUpload = (bucket: Bucket, buildId: string): Promise<void> =>
  bucket.delete(uploadKey(buildId));

/** The deletions with these keys, and whether each still runs. */
async function deletionsIn(bucket: Bucket, keys: readonly string[]) {
  const deletions: { readonly key: string; readonly isActive: boolean }[] = [];
  for (const key of keys) {
    const text = await bucket.readText(key);
    if (text === undefined) continue;
    const deletion = parsed(key, text, deletionSchema);
    const isKilled = deletion.process !== undefined && hasEnded(deletion.process);
    deletions.push({ key, isActive: !isKilled && isWithin(PRUNING_MS, deletion) });
  }
  return deletions;
}

/** Run a deletion. Uploads that begin meanwhile are refused. Several deletions can run at once. */
export async function whileUploadsWait<T>(bucket: Bucket, work: () => Promise<T>): Promise<T> {
  const others = await bucket.list(PRUNING_PREFIX);
  for (const other of await deletionsIn(bucket, others ?? [])) {
    if (!other.isActive) await bucket.delete(other.key);
  }
  const key = others === undefined ? ONLY_PRUNING_KEY : `${PRUNING_PREFIX}-${randomUUID()}.json`;
  const sign = () =>
    bucket.putText(key, JSON.stringify({ startedAt: Date.now(), process: processMark() }));
  await sign();
  let signing = Promise.resolve();
  const timer = setInterval(() => {
    signing = sign().catch(() => undefined);
  }, RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await signing;
    await bucket.delete(key);
  }
}

/** Uploads that may be running or resumed, and the keys of abandoned ones. */
export async function unfinishedUploads(bucket: Bucket): Promise<{
  readonly ids: ReadonlySet<string>;
  readonly parts: readonly string[];
  readonly abandoned: readonly string[];
}> {
  const ids = new Set<string>();
  const parts: string[] = [];
  const abandoned: string[] = [];
  // In a bucket that cannot be listed, uploads are unknown.
  for (const key of (await bucket.list(UPLOADS_PREFIX)) ?? []) {
    const text = await bucket.readText(key);
    if (text === undefined) continue;
    const upload = parsed(key, text, uploadSchema);
    if (isWithin(UPLOAD_MS, upload)) {
      ids.add(idOfKey(key));
      for (const hash of upload.parts) parts.push(hash);
    } else abandoned.push(key);
  }
  return { ids, parts, abandoned };
}

function isWithin(period: number, { startedAt }: z.infer<typeof startedSchema>): boolean {
  const age = Date.now() - startedAt;
  // The clocks of machines differ. A time further ahead is from before the clock was set back.
  return age < period && age > -DAY_MS;
}

function parsed<T>(key: string, text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new DamagedBuild(`${key} in the bucket is damaged. Delete it, then try again.`);
  }
}
