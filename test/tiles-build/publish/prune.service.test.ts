// Deletes old builds from each kind of bucket that can run on one machine.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Manifest, POINTER_KEY } from '../../../shared/chart/manifest.ts';
import { partsOf } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import { processMark } from '../../../tiles-build/archive/is-running.ts';
import type { Bucket } from '../../../tiles-build/publish/bucket.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { PruningRefused, pruneBuilds } from '../../../tiles-build/publish/prune.ts';
import { publishBuild, rollBack } from '../../../tiles-build/publish/publish.ts';
import { openS3Bucket } from '../../../tiles-build/publish/s3-bucket.ts';
import { bucketOfSet, dropBuildsOfSet } from '../../../tiles-build/publish/set-pointers.ts';
import { BucketBusy } from '../../../tiles-build/publish/unfinished-uploads.ts';
import { openLocalBucket } from '../../support/local-bucket.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { openS3Double, S3_BUCKET, S3_KEYS, type S3Double } from './support/s3-double.ts';
import { type SmallBuild, writeBuildOf, writeSmallBuild } from './support/small-build.ts';

const scratch = scratchFolder();
let service: S3Double;
const builds: SmallBuild[] = [];
beforeAll(async () => {
  service = await openS3Double();
  for (const text of ['first', 'second', 'third', 'fourth']) {
    builds.push(await writeSmallBuild(mkdtempSync(join(scratch, 'build-')), text));
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
  const has = async ({ part }: SmallBuild) => (await bucket.digest(part)) !== undefined;

  it('deletes nothing and reports what it would delete with dryRun', async () => {
    expect(await pruneBuilds(bucket, { keep: 2, dryRun: true })).toEqual({
      kept: ids().slice(2),
      removed: ids().slice(0, 2),
      objects: 4,
      abandonedUploads: 0,
    });
    expect(await has(builds[0]!)).toBe(true);
  });

  it('keeps the newest builds, and a rollback reaches only those', async () => {
    expect((await pruneBuilds(bucket, { keep: 2 })).removed).toEqual(ids().slice(0, 2));
    expect(await Promise.all(builds.map(has))).toEqual([false, false, true, true]);
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
    expect(await has(builds[2]!)).toBe(true);
  });
});

describe('pruneBuilds', () => {
  const publishAll = async (bucket: Bucket) => {
    for (const { folder } of builds) await publishBuild(folder, bucket);
  };

  it('keeps the parts of the charts of accounts until they are dropped', async () => {
    const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
    const [first, ofAccount, last] = builds as [SmallBuild, SmallBuild, SmallBuild];
    await publishBuild(first.folder, bucket);
    await publishBuild(ofAccount.folder, bucketOfSet(bucket, 'acme'));
    await publishBuild(last.folder, bucket);
    const parts = () =>
      Promise.all([first, ofAccount, last].map(async ({ part }) => !!(await bucket.digest(part))));
    expect((await pruneBuilds(bucket, { keep: 1 })).removed).toEqual([first.buildId]);
    expect(await parts()).toEqual([false, true, true]);
    const pause = vi.fn(async () => undefined);
    await dropBuildsOfSet(bucket, 'acme', 0, pause);
    expect(await bucket.list('sets/')).toEqual([]);
    // Nothing is left to delete after a pause.
    await dropBuildsOfSet(bucket, 'acme', 0, pause);
    expect(pause).toHaveBeenCalledTimes(1);
    expect(await parts()).toEqual([false, true, true]);
    await pruneBuilds(bucket, { keep: Number.MAX_SAFE_INTEGER });
    expect(await parts()).toEqual([false, false, true]);
  });

  it('ends at a damaged history of an account, and keeps the current charts without one', async () => {
    const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
    const [ofAccount, last] = builds as [SmallBuild, SmallBuild];
    await publishBuild(ofAccount.folder, bucketOfSet(bucket, 'acme'));
    await publishBuild(last.folder, bucket);
    const history = 'sets/acme/history.json';
    await bucket.putText(history, '{"format":1}');
    await expect(pruneBuilds(bucket, { keep: 1 })).rejects.toThrow(
      `${history} in the bucket is damaged`,
    );
    await bucket.delete(history);
    await pruneBuilds(bucket, { keep: 1 });
    expect(await bucket.digest(ofAccount.part)).toBeDefined();
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'continues after a run that was interrupted at deletion %i',
    async (at) => {
      const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
      await publishAll(bucket);
      let left = at;
      const dying: Bucket = {
        ...bucket,
        delete: async (key) => {
          if (left-- === 0) throw new Error('killed');
          await bucket.delete(key);
        },
      };
      await expect(pruneBuilds(dying, { keep: 1 })).rejects.toThrow('killed');
      if (at > 0) await expect(rollBack(bucket, builds[0]!.buildId)).rejects.toThrow();
      // As the worker does after its jobs.
      await pruneBuilds(bucket, { keep: Number.MAX_SAFE_INTEGER });
      expect((await pruneBuilds(bucket, { keep: 1 })).kept).toEqual([builds[3]!.buildId]);
      expect(await bucket.list('')).toHaveLength(4);
    },
  );

  it('finds builds by their manifests if the bucket cannot be listed', async () => {
    const store = mkdtempSync(join(scratch, 'store-'));
    const bucket: Bucket = { ...openFolderBucket(store), list: async () => undefined };
    await publishAll(bucket);
    // The charts of accounts are unknown.
    await expect(pruneBuilds(bucket, { keep: 1 })).rejects.toThrow(PruningRefused);
    expect(readdirSync(join(store, 'parts'))).toHaveLength(builds.length);
    const ofCrowd = { keep: 1, isWithoutSets: true };
    expect(await pruneBuilds(bucket, ofCrowd)).toMatchObject({ objects: 6 });
    expect(readdirSync(join(store, 'builds'))).toEqual([builds[3]!.buildId]);
    expect(readdirSync(join(store, 'parts'))).toHaveLength(1);
  });

  it('removes temporary files of an interrupted copy', async () => {
    const store = mkdtempSync(join(scratch, 'store-'));
    const bucket = openFolderBucket(store);
    await publishAll(bucket);
    writeFileSync(join(store, `${builds[3]!.part}.4194305.part`), 'half');
    // This process may still be writing.
    writeFileSync(join(store, `${builds[3]!.part}.${process.pid}.part`), 'half');
    // In another container, the number can be that of a process that runs here.
    const old = join(store, `${builds[2]!.part}.${process.pid}.part`);
    writeFileSync(old, 'half');
    utimesSync(old, 0, 0);
    // Left by a deletion that was killed.
    writeFileSync(join(store, 'pruning-1.json.4194305.part'), '');
    expect((await pruneBuilds(bucket, { keep: 9 })).abandonedUploads).toBe(3);
    expect(readdirSync(join(store, 'parts'))).toHaveLength(builds.length + 1);
  });

  it('orders a build that was current twice by the latest time', async () => {
    const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
    const [first, second] = builds;
    for (const { folder } of [first!, second!, first!]) await publishBuild(folder, bucket);
    expect(await pruneBuilds(bucket, { keep: 1 })).toMatchObject({
      kept: [first!.buildId],
      removed: [second!.buildId],
    });
    expect(await bucket.digest(first!.part)).toBeDefined();
  });

  describe('with uploads', () => {
    const [WEST, EAST] = [zxyToTileId(6, 0, 0), zxyToTileId(6, 63, 0)];
    const buildOf = (west: string, east: string) =>
      writeBuildOf(
        mkdtempSync(join(scratch, 'build-')),
        [
          { tileId: WEST, bytes: gzipSync(west) },
          { tileId: EAST, bytes: gzipSync(east) },
        ],
        { wide: 0, narrow: 1 << 20 },
      );
    const isWhole = async (bucket: Bucket) => {
      const manifest = JSON.parse((await bucket.readText(POINTER_KEY))!) as Manifest;
      const found = await Promise.all(
        partsOf(manifest).map(async ({ sha256 }) => (await bucket.digest(partKey(sha256)))?.sha256),
      );
      expect(found).toEqual(partsOf(manifest).map(({ sha256 }) => sha256));
    };
    const newBucket = () => openFolderBucket(mkdtempSync(join(scratch, 'store-')));

    it('keeps parts that a kept build shares with a deleted one', async () => {
      const bucket = newBucket();
      for (const west of ['one', 'two', 'three']) {
        await publishBuild((await buildOf(west, 'the same')).folder, bucket);
      }
      // The parts of the west of two builds, and their manifests.
      expect(await pruneBuilds(bucket, { keep: 1 })).toMatchObject({ objects: 4 });
      await isWhole(bucket);
    });

    it('deletes nothing that a rollback or an unfinished upload names, whenever it runs', async () => {
      const [old, current] = [await buildOf('old', 'old'), await buildOf('now', 'now')];
      // It shares a part with the deleted build and one with the current build.
      const next = await buildOf('old', 'now');
      const steps = ['list', 'digest', 'putFile', 'putText', 'readText', 'delete'] as const;
      for (let at = 0; at < 40; at++) {
        const bucket = newBucket();
        for (const { folder } of [old, current]) await publishBuild(folder, bucket);
        // The deletion runs before the step with this number of the upload.
        let step = 0;
        const pruning = async () => {
          if (step++ === at) await pruneBuilds(bucket, { keep: 1 });
        };
        const interrupted = Object.fromEntries(
          steps.map((name) => [
            name,
            async (...words: never[]) => {
              await pruning();
              return (bucket[name] as (...words: never[]) => unknown)(...words);
            },
          ]),
        );
        await publishBuild(next.folder, { ...bucket, ...interrupted } as Bucket);
        await isWhole(bucket);
        if (step <= at) return;
      }
      throw new Error('an upload has fewer steps');
    });

    it('refuses uploads that begin during a deletion, which can then be repeated', async () => {
      const [old, current] = [await buildOf('old', 'old'), await buildOf('now', 'now')];
      const next = await buildOf('old', 'now');
      let refused = 0;
      for (let at = 0; ; at++) {
        const bucket = newBucket();
        for (const { folder } of [old, current]) await publishBuild(folder, bucket);
        let step = 0;
        const publishing = async () => {
          if (step++ !== at) return;
          await publishBuild(next.folder, bucket).catch((error: unknown) => {
            expect(error).toBeInstanceOf(BucketBusy);
            refused++;
          });
        };
        const interrupted: Bucket = {
          ...bucket,
          list: async (prefix) => {
            await publishing();
            return bucket.list(prefix);
          },
          readText: async (key) => {
            await publishing();
            return bucket.readText(key);
          },
          delete: async (key) => {
            await publishing();
            return bucket.delete(key);
          },
        };
        await pruneBuilds(interrupted, { keep: 1 });
        await isWhole(bucket);
        if (step <= at) break;
        await publishBuild(next.folder, bucket);
        await isWhole(bucket);
      }
      expect(refused).toBeGreaterThan(3);
    });

    it('refuses uploads until the last of several deletions has ended', async () => {
      const [old, current] = [await buildOf('old', 'old'), await buildOf('now', 'now')];
      const next = await buildOf('old', 'now');
      const bucket = newBucket();
      for (const { folder } of [old, current]) await publishBuild(folder, bucket);
      let refused = 0;
      const slow: Bucket = {
        ...bucket,
        delete: async (key) => {
          if (key.startsWith('parts/')) {
            await pruneBuilds(bucket, { keep: 9 });
            await expect(publishBuild(next.folder, bucket)).rejects.toThrow(BucketBusy);
            refused++;
          }
          await bucket.delete(key);
        },
      };
      await pruneBuilds(slow, { keep: 1 });
      expect(refused).toBeGreaterThan(0);
      await publishBuild(next.folder, bucket);
      await isWhole(bucket);
    });

    it.each([
      ['whose clock is ahead', 3_600_000, true],
      ['before the clock was set back by days', 2 * 86_400_000, false],
    ])('refuses uploads during a deletion of a machine %s: %s', async (_what, ahead, isRefused) => {
      const bucket = newBucket();
      await bucket.putText('pruning-1.json', JSON.stringify({ startedAt: Date.now() + ahead }));
      const publishing = publishBuild((await buildOf('now', 'now')).folder, bucket);
      const refused = publishing.then(
        () => false,
        (error) => error instanceof BucketBusy,
      );
      expect(await refused).toBe(isRefused);
    });

    // Other systems do not tell when a process started.
    it.runIf(process.platform === 'linux').each([
      ['that was killed', (own: string[]) => own.with(2, `${spawnSync('true').pid}`), false],
      ['whose id another process has now', (own: string[]) => own.with(3, '1'), false],
      ['that still runs', (own: string[]) => own, true],
      ['of another machine', (own: string[]) => own.with(0, 'another').with(3, '1'), true],
    ])('handles a deletion by a process %s', async (_what, change, isRefused) => {
      const bucket = newBucket();
      const mark = change((processMark() as string).split(' ')).join(' ');
      const deletion = JSON.stringify({ startedAt: Date.now(), process: mark });
      await bucket.putText('pruning-1.json', deletion);
      const publishing = publishBuild((await buildOf('now', 'now')).folder, bucket);
      if (isRefused) await expect(publishing).rejects.toThrow(BucketBusy);
      else await publishing;
    });

    it.each([
      ['a week has passed', 8],
      ['the clock was set back', -8],
    ])('keeps the parts of an interrupted upload until %s', async (_what, days) => {
      const bucket = newBucket();
      await publishBuild((await buildOf('now', 'now')).folder, bucket);
      const next = await buildOf('next', 'now');
      let left = 1;
      const dying: Bucket = {
        ...bucket,
        digest: async (key) => {
          if (left-- === 0) throw new Error('killed');
          return bucket.digest(key);
        },
      };
      await expect(publishBuild(next.folder, dying)).rejects.toThrow('killed');
      expect(await pruneBuilds(bucket, { keep: 1 })).toMatchObject({ objects: 0 });
      vi.useFakeTimers({ now: Date.now() + days * 24 * 3_600_000, toFake: ['Date'] });
      try {
        // The part, and the note of the upload.
        expect(await pruneBuilds(bucket, { keep: 1 })).toMatchObject({ objects: 2 });
      } finally {
        vi.useRealTimers();
      }
      await isWhole(bucket);
    });
  });
});
