import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { publishCrowd } from '../../../tiles-build/crowd/publish-crowd.ts';
import { writeCrowd } from '../../../tiles-build/crowd/write-crowd.ts';
import { DamagedBuild } from '../../../tiles-build/publish/build-folder.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { lane, sail } from '../../support/lanes.ts';

const root = mkdtempSync(join(tmpdir(), 'crowd-'));
afterAll(() => rmSync(root, { recursive: true }));

/** An archive of boats on some rows. */
async function archive(name: string, rows: readonly number[]) {
  const { store } = await sail(
    join(root, name),
    ['anna', 'bert'].map((account) => lane(account, { rows })),
  );
  const folder = join(root, name, 'archive');
  const { buildId } = (await writeCrowd(store, folder, { attributions: [], now: 0 }))!;
  return { folder, buildId };
}

let count = 0;
describe('a bucket with two archives', async () => {
  const [one, two] = [await archive('one', [0]), await archive('two', [0, 1])];
  let bucket = openFolderBucket(join(root, 'none'));
  beforeEach(async () => {
    bucket = openFolderBucket(join(root, `bucket${count++}`));
    for (const { folder } of [one, two]) await publishCrowd(folder, bucket, 2);
  });
  const manifestOf = ({ buildId }: { buildId: string }) => `builds/${buildId}/manifest.json`;
  const currentOf = async () => JSON.parse((await bucket.readText('current.json'))!).buildId;

  it('keeps both until a run without a change that is later than the last reader', async () => {
    await publishCrowd(two.folder, bucket, 2);
    expect(await bucket.list('builds/')).toHaveLength(2);
    await bucket.putText('moved-at.txt', `${Date.now() - 200_000}`);
    expect((await publishCrowd(two.folder, bucket, 2)).damaged).toEqual([]);
    expect(await bucket.list('builds/')).toEqual([manifestOf(two)]);
    expect(await bucket.list('parts/')).toHaveLength(1);
  });

  it.each([
    ['pointer', () => 'current.json'],
    ['list of builds', () => 'history.json'],
    ['current manifest', () => manifestOf(two)],
    ['earlier manifest', () => manifestOf(one)],
  ])('is repaired by the next run if the %s is damaged', async (_name, keyOf) => {
    await bucket.putText(keyOf(), 'damaged');
    const { damaged } = await publishCrowd(two.folder, bucket, 2);
    expect(damaged).toEqual([keyOf()]);
    expect(await currentOf()).toBe(two.buildId);
    // What only earlier archives contain is deleted.
    expect(await bucket.list('builds/')).toEqual([manifestOf(two)]);
    expect(await bucket.list('parts/')).toHaveLength(1);
    expect((await publishCrowd(two.folder, bucket, 2)).damaged).toEqual([]);
  });

  it('is repaired by another archive too', async () => {
    await bucket.putText('current.json', 'damaged');
    await bucket.delete(manifestOf(two));
    await publishCrowd(one.folder, bucket, 2);
    expect(await currentOf()).toBe(one.buildId);
    expect(await bucket.list('builds/')).toEqual([manifestOf(one)]);
  });

  it('stays as it is if the own archive is damaged', async () => {
    const before = await bucket.readText('current.json');
    const own = await archive(`own${count}`, [2]);
    writeFileSync(join(own.folder, 'manifest.json'), 'damaged');
    await expect(publishCrowd(own.folder, bucket, 2)).rejects.toThrow(DamagedBuild);
    expect(await bucket.readText('current.json')).toBe(before);
  });
});
