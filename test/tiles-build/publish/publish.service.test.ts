// Publishes and rolls back in a local R2 bucket.

import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HISTORY_KEY,
  type Manifest,
  manifestKey,
  POINTER_KEY,
} from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { digestFile } from '../../../tiles-build/archive/file-digest.ts';
import type { Bucket } from '../../../tiles-build/publish/bucket.ts';
import { DamagedBuild } from '../../../tiles-build/publish/build-folder.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import {
  NothingToRollBack,
  publishBuild,
  rollBack,
  UploadRefused,
} from '../../../tiles-build/publish/publish.ts';
import { openWranglerBucket } from '../../../tiles-build/publish/wrangler-bucket.ts';
import { copyFolder } from '../../support/copy-folder.ts';
import { openLocalBucket } from '../../support/local-bucket.ts';
import { isLong } from '../../support/long-run.ts';
import { withChecksum } from '../../support/manifest-of.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type SmallBuild, writeBuildOf, writeSmallBuild } from './support/small-build.ts';

const scratch = scratchFolder();
const newFolder = () => mkdtempSync(join(scratch, 'build-'));

const makeBuild = (text: string) => writeSmallBuild(newFolder(), text);

/** Each region of zoom 5 has its own part. */
const EACH = { wide: 0, narrow: 1 << 20 };
const tile = ({ z, x, y }: TileId, text: string) => ({
  tileId: zxyToTileId(z, x, y),
  bytes: gzipSync(text),
});

async function currentId(bucket: Bucket): Promise<string | undefined> {
  const text = await bucket.readText(POINTER_KEY);
  return text === undefined ? undefined : JSON.parse(text).buildId;
}

describe('publishBuild and rollBack', () => {
  let bucket: Bucket;
  let first: SmallBuild;
  let second: SmallBuild;
  beforeAll(async () => {
    first = await makeBuild('first');
    second = await makeBuild('second');
    bucket = await openLocalBucket(newFolder());
  });
  afterAll(() => bucket.close());

  it('rejects a rollback in an empty bucket', async () => {
    await expect(rollBack(bucket)).rejects.toThrow(NothingToRollBack);
  });

  it('uploads the parts and the manifest, and then moves the pointer', async () => {
    const published = await publishBuild(first.folder, bucket);
    expect(published).toEqual({
      buildId: first.buildId,
      uploaded: [first.part, manifestKey(first.buildId)],
      pointerMoved: true,
    });
    expect(await bucket.readText(POINTER_KEY)).toBe(
      readFileSync(join(first.folder, 'manifest.json'), 'utf8'),
    );
  });

  it('does nothing if the build is already published', async () => {
    expect(await publishBuild(first.folder, bucket)).toEqual({
      buildId: first.buildId,
      uploaded: [],
      pointerMoved: false,
    });
  });

  it('keeps the published manifest if only the times differ', async () => {
    const again = newFolder();
    copyFolder(first.folder, again);
    const path = join(again, 'manifest.json');
    const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
    const datasets = manifest.datasets.map((one) => ({ ...one, dataProcessedAt: 99 }));
    writeFileSync(path, JSON.stringify(withChecksum({ ...manifest, datasets })));
    expect(await publishBuild(again, bucket)).toMatchObject({ uploaded: [], pointerMoved: false });
    expect(await bucket.readText(manifestKey(first.buildId))).toBe(
      readFileSync(join(first.folder, 'manifest.json'), 'utf8'),
    );
  });

  it('rolls back to the previous build and rejects a rollback beyond the first', async () => {
    await publishBuild(second.folder, bucket);
    expect(await currentId(bucket)).toBe(second.buildId);
    const again = rollBack(bucket, second.buildId);
    await expect(again).rejects.toThrow(`Build ${second.buildId} is current already.`);
    expect(await rollBack(bucket)).toEqual({ from: second.buildId, to: first.buildId });
    expect(await currentId(bucket)).toBe(first.buildId);
    await expect(rollBack(bucket)).rejects.toThrow('is the first one');
  });

  it('publishes a build again after its rollback', async () => {
    expect(await publishBuild(second.folder, bucket)).toMatchObject({
      uploaded: [],
      pointerMoved: true,
    });
    expect(await currentId(bucket)).toBe(second.buildId);
  });
});

it('publishBuild uploads only the parts that the bucket does not have', async () => {
  const bucket = openFolderBucket(newFolder());
  const buildOf = (east: string) =>
    writeBuildOf(
      newFolder(),
      [tile({ z: 6, x: 0, y: 0 }, 'west'), tile({ z: 6, x: 63, y: 0 }, east)],
      EACH,
    );
  const first = await buildOf('east');
  expect((await publishBuild(first.folder, bucket)).uploaded).toHaveLength(3);
  const second = await buildOf('changed');
  const read: string[] = [];
  const watched: Bucket = {
    ...bucket,
    digest: (key) => {
      read.push(key);
      return bucket.digest(key);
    },
  };
  const { uploaded } = await publishBuild(second.folder, watched);
  expect(uploaded).toEqual([expect.stringMatching(/^parts\//), manifestKey(second.buildId)]);
  // The part of the west is neither uploaded nor read.
  expect(new Set(read)).toEqual(new Set(uploaded));
  expect(await rollBack(bucket)).toEqual({ from: second.buildId, to: first.buildId });
});

it('publishBuild and rollBack succeed if the announcement cannot be deleted afterwards', async () => {
  const bucket = openFolderBucket(newFolder());
  const [one, two] = [await makeBuild('one'), await makeBuild('two')];
  const failing: Bucket = {
    ...bucket,
    delete: async () => {
      throw new Error('unavailable');
    },
  };
  for (const { folder } of [one, two]) {
    expect(await publishBuild(folder, failing)).toMatchObject({ pointerMoved: true });
  }
  expect(await rollBack(failing)).toEqual({ from: two.buildId, to: one.buildId });
});

it('publishBuild starts a new history over a pointer of an earlier format', async () => {
  const bucket = openFolderBucket(newFolder());
  const build = await makeBuild('after an earlier version');
  await bucket.putText(POINTER_KEY, JSON.stringify({ format: 1, buildId: 'an-earlier-build' }));
  expect(await publishBuild(build.folder, bucket)).toMatchObject({ pointerMoved: true });
  expect(await currentId(bucket)).toBe(build.buildId);
  await expect(rollBack(bucket)).rejects.toThrow('is the first one');
});

it.runIf(isLong)('openWranglerBucket stores, reads, replaces and deletes objects', async () => {
  const bucket = await openWranglerBucket(['--local', '--persist-to', newFolder()]);
  const path = join(newFolder(), 'file');
  writeFileSync(path, 'first');
  const digest = await digestFile(path);
  expect(await bucket.digest('a/b.json')).toBeUndefined();
  await bucket.putFile('a/b.json', path, digest);
  expect(await bucket.digest('a/b.json')).toEqual(digest);
  await bucket.putText('a/b.json', 'second');
  expect(await bucket.readText('a/b.json')).toBe('second');
  await bucket.delete('a/b.json');
  expect(await bucket.readText('a/b.json')).toBeUndefined();
  await bucket.close();
});

it('openWranglerBucket rejects a file that is too large for wrangler', async () => {
  const bucket = await openWranglerBucket(['--local', '--persist-to', newFolder()]);
  const digest = { bytes: 400 * 1024 * 1024, sha256: '0'.repeat(64) };
  await expect(bucket.putFile('large', 'large.pmtiles', digest)).rejects.toThrow(
    'large.pmtiles has 419430400 bytes',
  );
  await bucket.close();
});

describe('a damaged build or upload', () => {
  let bucket: Bucket;
  let good: SmallBuild;
  beforeAll(async () => {
    good = await makeBuild('good');
    bucket = await openLocalBucket(newFolder());
    await publishBuild(good.folder, bucket);
  });
  afterAll(() => bucket.close());

  const withArchive = (change: object) => (folder: string) => {
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    Object.assign(manifest.archives[0], change);
    writeFileSync(path, JSON.stringify(withChecksum(manifest)));
  };

  const partIn = (folder: string) => {
    const [name] = readdirSync(join(folder, 'parts'));
    return join(folder, 'parts', name!);
  };

  const damages: readonly [string, (folder: string) => void, string][] = [
    [
      'a changed byte',
      (folder) => {
        const path = partIn(folder);
        const bytes = readFileSync(path);
        bytes[bytes.length - 1]! ^= 1;
        writeFileSync(path, bytes);
      },
      'The SHA-256 of',
    ],
    ['a longer part', (folder) => appendFileSync(partIn(folder), '!'), 'bytes'],
    ['no part', (folder) => rmSync(partIn(folder)), 'is missing'],
    ['no manifest', (folder) => rmSync(join(folder, 'manifest.json')), 'contains no manifest.json'],
    [
      'half a manifest',
      (folder) => writeFileSync(join(folder, 'manifest.json'), '{"format":'),
      'is not JSON',
    ],
    [
      'a manifest in which a number changed',
      (folder) => {
        const path = join(folder, 'manifest.json');
        writeFileSync(path, readFileSync(path, 'utf8').replace('"maxZoom":0', '"maxZoom":9'));
      },
      'manifest.json is damaged',
    ],
    [
      'a part whose name leaves the folder',
      withArchive({ parts: ['base ../../x 1 1 0 0 1 1'] }),
      'is not a manifest: archives.0.parts.0 is invalid',
    ],
    [
      'an index that lacks a part',
      withArchive({ parts: [] }),
      'the parts of enc-v2 are incomplete',
    ],
    [
      'only the beginning of a head',
      withArchive({ heads: [Buffer.from('PMTiles').toString('base64')] }),
      'differs from the first bytes',
    ],
    [
      "another archive's head",
      withArchive({ heads: [Buffer.alloc(200, 7).toString('base64')] }),
      'differs from the first bytes',
    ],
  ];
  it.each(damages)('is rejected before any upload: %s', async (_name, damage, message) => {
    const build = await makeBuild(`damaged by ${message}`);
    damage(build.folder);
    const refusal = publishBuild(build.folder, bucket);
    await expect(refusal).rejects.toThrow(DamagedBuild);
    await expect(refusal).rejects.toThrow(message);
    expect(await bucket.readText(manifestKey(build.buildId))).toBeUndefined();
    expect(await currentId(bucket)).toBe(good.buildId);
  });

  it('does not move the pointer, and can be published again', async () => {
    const build = await makeBuild('damaged in transit');
    const careless: Bucket = {
      ...bucket,
      putFile: async (key) => bucket.putText(key, 'not the archive'),
    };
    await expect(publishBuild(build.folder, careless)).rejects.toThrow(UploadRefused);
    expect(await currentId(bucket)).toBe(good.buildId);
    expect((await publishBuild(build.folder, bucket)).pointerMoved).toBe(true);
    await rollBack(bucket);
  });

  it('is rejected by the bucket, which checks the hash', async () => {
    const build = await makeBuild('checked by the bucket');
    const wrong = {
      bytes: readFileSync(join(build.folder, 'manifest.json')).length,
      sha256: '0'.repeat(64),
    };
    await expect(
      bucket.putFile('builds/x/manifest.json', join(build.folder, 'manifest.json'), wrong),
    ).rejects.toThrow('refused PUT');
    expect(await bucket.digest('builds/x/manifest.json')).toBeUndefined();
  });

  it('does not overwrite a manifest with different content', async () => {
    const build = await makeBuild('taken');
    await bucket.putText(manifestKey(build.buildId), 'a foreign object');
    await expect(publishBuild(build.folder, bucket)).rejects.toThrow('never overwritten');
    expect(await bucket.readText(manifestKey(build.buildId))).toBe('a foreign object');
  });

  it('has its damaged parts in the bucket replaced when it is published', async () => {
    const build = await makeBuild('damaged by the bucket');
    await bucket.putText(build.part, 'not the part');
    expect((await publishBuild(build.folder, bucket)).uploaded).toContain(build.part);
    await bucket.putText(build.part, 'damaged later');
    expect((await publishBuild(build.folder, bucket)).uploaded).toEqual([build.part]);
    expect((await bucket.digest(build.part))?.bytes).toBe(
      readFileSync(join(build.folder, build.part)).length,
    );
    await rollBack(bucket);
  });

  it('cannot become current by a rollback', async () => {
    const next = await makeBuild('next');
    await publishBuild(next.folder, bucket);
    await bucket.delete(good.part);
    await expect(rollBack(bucket)).rejects.toThrow('missing or damaged');
    expect(await currentId(bucket)).toBe(next.buildId);
  });

  it('rollBack repairs a history that is lost or ahead of the pointer', async () => {
    const current = (await currentId(bucket))!;
    await bucket.putText(HISTORY_KEY, JSON.stringify({ format: 1, buildIds: ['a', current, 'z'] }));
    await expect(rollBack(bucket, 'z')).rejects.toThrow('was never current');
    await bucket.delete(HISTORY_KEY);
    await expect(rollBack(bucket)).rejects.toThrow('is the first one');
  });
});
