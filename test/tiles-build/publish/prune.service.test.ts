// Deletes old builds from each kind of bucket that can run on one machine.

import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildKey, POINTER_KEY } from '../../../shared/chart/manifest.ts';
import type { Bucket } from '../../../tiles-build/publish/bucket.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { pruneBuilds } from '../../../tiles-build/publish/prune.ts';
import { publishBuild, rollBack } from '../../../tiles-build/publish/publish.ts';
import { openS3Bucket } from '../../../tiles-build/publish/s3-bucket.ts';
import { openLocalBucket } from '../../support/local-bucket.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { openS3Double, S3_BUCKET, S3_KEYS, type S3Double } from './support/s3-double.ts';
import { type SmallBuild, writeSmallBuild } from './support/small-build.ts';

const scratch = scratchFolder();
let service: S3Double;
const builds: SmallBuild[] = [];
beforeAll(async () => {
  service = await openS3Double();
  for (const text of ['first', 'second', 'third', 'fourth']) {
    builds.push(writeSmallBuild(mkdtempSync(join(scratch, 'build-')), text));
  }
});
afterAll(() => service.close());

const openS3 = () =>
  openS3Bucket({
    bucket: S3_BUCKET,
    endpoint: service.endpoint,
    region: 'auto',
    credentials: { accessKeyId: S3_KEYS.id, secretAccessKey: S3_KEYS.secret },
  });
const kinds: readonly [string, () => Bucket | Promise<Bucket>][] = [
  ['a folder', () => openFolderBucket(mkdtempSync(join(scratch, 'store-')))],
  ['the local bucket', () => openLocalBucket(mkdtempSync(join(scratch, 'data-')))],
  ['an S3 service', openS3],
];

describe.each(kinds)('pruneBuilds in %s', (_name, open) => {
  let bucket: Bucket;
  beforeAll(async () => {
    bucket = await open();
    for (const { folder } of builds) await publishBuild(folder, bucket);
  });
  afterAll(() => bucket.close());
  const ids = () => builds.map(({ buildId }) => buildId);
  const has = async (id: string) =>
    (await bucket.digest(buildKey(id, 'enc-v2.pmtiles'))) !== undefined;

  it('deletes nothing and reports what it would delete with dryRun', async () => {
    expect(await pruneBuilds(bucket, { keep: 2, dryRun: true })).toEqual({
      kept: ids().slice(2),
      removed: ids().slice(0, 2),
      objects: 4,
      abandonedUploads: 0,
    });
    expect(await has(ids()[0]!)).toBe(true);
  });

  it('keeps the newest builds, and a rollback reaches only those', async () => {
    expect((await pruneBuilds(bucket, { keep: 2 })).removed).toEqual(ids().slice(0, 2));
    expect(await Promise.all(ids().map(has))).toEqual([false, false, true, true]);
    expect(await bucket.list(`builds/${ids()[0]}/`)).toEqual([]);
    expect(await rollBack(bucket)).toEqual({ from: ids()[3], to: ids()[2] });
    await expect(rollBack(bucket)).rejects.toThrow('is the first one');
  });

  it('deletes builds that never became current, and no other object', async () => {
    await bucket.putText('notes.txt', 'a foreign object');
    const keep = { keep: 5 };
    // After the rollback, neither the pointer nor the history refers to the fourth build.
    expect((await pruneBuilds(bucket, keep)).removed).toEqual([ids()[3]]);
    expect(await bucket.readText('notes.txt')).toBe('a foreign object');
    expect(await pruneBuilds(bucket, keep)).toMatchObject({ removed: [], objects: 0 });
  });

  it('never deletes the current build', async () => {
    expect((await pruneBuilds(bucket, { keep: 1 })).kept).toEqual([ids()[2]]);
    expect(JSON.parse((await bucket.readText(POINTER_KEY))!).buildId).toBe(ids()[2]);
    expect(await has(ids()[2]!)).toBe(true);
  });
});

describe('pruneBuilds', () => {
  const publishAll = async (bucket: Bucket) => {
    for (const { folder } of builds) await publishBuild(folder, bucket);
  };

  it('continues after an interrupted run', async () => {
    const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
    await publishAll(bucket);
    let left = 3;
    const dying: Bucket = {
      ...bucket,
      delete: async (key) => {
        if (left-- === 0) throw new Error('killed');
        await bucket.delete(key);
      },
    };
    await expect(pruneBuilds(dying, { keep: 1 })).rejects.toThrow('killed');
    await expect(rollBack(bucket, builds[0]!.buildId)).rejects.toThrow();
    expect((await pruneBuilds(bucket, { keep: 1 })).kept).toEqual([builds[3]!.buildId]);
    expect(await bucket.list('builds/')).toHaveLength(2);
  });

  it('finds builds by their manifests if the bucket cannot be listed', async () => {
    const store = mkdtempSync(join(scratch, 'store-'));
    const bucket: Bucket = { ...openFolderBucket(store), list: async () => undefined };
    await publishAll(bucket);
    expect(await pruneBuilds(bucket, { keep: 1 })).toMatchObject({ objects: 6 });
    expect(readdirSync(join(store, 'builds'))).toEqual([builds[3]!.buildId]);
  });

  it('removes temporary files of an interrupted copy', async () => {
    const store = mkdtempSync(join(scratch, 'store-'));
    const bucket = openFolderBucket(store);
    await publishAll(bucket);
    const folder = join(store, 'builds', builds[3]!.buildId);
    writeFileSync(join(folder, 'enc-v2.pmtiles.4711.part'), 'half');
    expect((await pruneBuilds(bucket, { keep: 9 })).abandonedUploads).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['enc-v2.pmtiles', 'manifest.json']);
  });

  it('orders a build that was current twice by the latest time', async () => {
    const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
    const [first, second] = builds;
    for (const { folder } of [first!, second!, first!]) await publishBuild(folder, bucket);
    expect(await pruneBuilds(bucket, { keep: 1 })).toMatchObject({
      kept: [first!.buildId],
      removed: [second!.buildId],
    });
    expect(await bucket.digest(buildKey(first!.buildId, 'enc-v2.pmtiles'))).toBeDefined();
  });
});
