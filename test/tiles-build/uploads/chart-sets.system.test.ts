// The charts of an account equal one build of the public cells and its own: for random sets of small cells, every
// archive has the same bytes, and with it every tile, query, name and route. And which cells may disappear from them.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { readPointer } from '../../../tiles-build/publish/history.ts';
import { publishBuild } from '../../../tiles-build/publish/publish.ts';
import { bucketOfSet } from '../../../tiles-build/publish/set-pointers.ts';
import type { JobInput } from '../../../tiles-build/uploads/change-charts.ts';
import type { Job, JobEnd } from '../../../tiles-build/uploads/job-store.ts';
import { refreshCells } from '../../../tiles-build/uploads/refresh-cells.ts';
import { runJob } from '../../../tiles-build/uploads/run-job.ts';
import { update } from '../../shared/s57/small-cell.ts';
import { smallCharts } from '../../support/chart-uploads.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';
import {
  openAccount,
  putUpload,
  removed,
  silent,
  THREADS,
  willPublish,
} from './support/account-jobs.ts';

const SETS = isLong ? 200 : 1;
const PATIENCE_MS = isLong ? 21_600_000 : 900_000;
const SEED = 20_261_127;
const scratch = scratchFolder();

const announcedOf = ({ state, buildId, cells }: JobEnd) => ({ state, buildId, cells });

/** Changes a byte in the scan of one cell. */
function damageScan(folder: string): void {
  const path = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((one) => readFileSync(one, 'latin1').startsWith('{"name":"ZZ5'))!;
  writeFileSync(path, readFileSync(path, 'latin1').replace('ZZ5', 'ZZ4'), 'latin1');
}

async function expectOneBuild(round: number, random: () => number): Promise<void> {
  const root = join(scratch, String(round));
  mkdirSync(root);
  const [enc, own, store] = ['public', 'own', 'store'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const corners = latticeOf(3, 2, [20 + random(), 40 + random()]);
  const isOwn = corners.map(() => random() < 0.5);
  // Of each at least one.
  isOwn[0] = false;
  isOwn[1] = true;
  for (const [i, corner] of corners.entries()) {
    // The numbers of the cells are part of their names.
    writeSmallCells(isOwn[i] ? own : enc, [corner], 100 * round + i);
  }
  const background = join(root, 'background');
  writeSmallBackground(background, corners[0]!);
  const build = { background, jobs: THREADS };
  const publicBuild = join(root, 'public-build');
  await buildCharts({ enc: [enc], out: publicBuild, ...build });
  const bucket = openFolderBucket(store);
  await publishBuild(publicBuild, bucket);
  // The job makes a damaged result again.
  const reuse = join(publicBuild, '.cache');
  if (round % 2 === 0) damageScan(join(reuse, 'scans'));

  const id = `00000000-0000-4000-8000-00000000000${round % 10}`;
  const job = { id, account_id: 'acme', is_public: false, kind: 'upload', upload_id: id } as Job;
  const pointer = () => readPointer(bucketOfSet(bucket, 'acme'));
  let announced: unknown;
  const below = await readPointer(bucket);
  const end = await runJob({
    ...{ job, bucket, enc: [enc], background, work: join(root, 'work'), threads: THREADS, reuse },
    ...{ uploads: [putUpload(store, id, own)], publicUploads: [], progress: silent, removed },
    below: () => below,
    willPublish: async (buildId, cells) => {
      announced = { state: 'succeeded', buildId, cells, before: await pointer() };
    },
  });
  const set = await pointer();
  // It is recorded before the pointer moves.
  expect(announced).toEqual({ ...announcedOf(end), before: undefined });
  const { manifest } = await buildCharts({
    ...{ enc: [enc, own], out: join(root, 'whole'), sharedCache: join(root, 'shared') },
    ...build,
  });
  expect(set?.archives).toEqual(manifest.archives);
  expect(set?.cells).toEqual(manifest.cells);
  expect(set?.buildId).not.toBe(manifest.buildId);
  for (const { sha256 } of partsOf(set!)) {
    expect((await bucket.digest(partKey(sha256)))?.sha256).toBe(sha256);
  }
  // The public charts did not change.
  expect((await readPointer(bucket))?.set).toBeUndefined();
  rmSync(root, { recursive: true });
}

const ALIKE = `random sets of cells have the archives of one build of all cells (${SETS})`;
test(ALIKE, { timeout: PATIENCE_MS }, async () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < SETS; round++) await expectOneBuild(round, random);
});

test('a worker without the public cells refuses an upload before it builds', async () => {
  const [own, store] = [join(scratch, 'own'), join(scratch, 'store')];
  writeSmallCells(own, latticeOf(1, 1, [30, 10]), 7);
  const { charts, background } = await smallCharts();
  const bucket = openFolderBucket(store);
  await publishBuild(charts, bucket);
  const id = '00000000-0000-4000-8000-000000000000';
  const job = { id, account_id: 'acme', is_public: false, kind: 'upload', upload_id: id } as Job;
  const steps: string[] = [];
  const below = await readPointer(bucket);
  const end = runJob({
    ...{ job, bucket, enc: [], background, work: join(scratch, 'work'), threads: THREADS },
    ...{ uploads: [putUpload(store, id, own)], publicUploads: [], willPublish, removed },
    below: () => below,
    progress: { ...silent, begin: (step) => void steps.push(step) },
  });
  await expect(end).rejects.toThrow(/would lack 2 cells .* Nothing was changed.*LEADLINE_CELLS/);
  expect(steps).toEqual(['receive', 'check']);
  expect(await readPointer(bucketOfSet(bucket, 'acme'))).toBeUndefined();
});

describe('cells of the charts of an account', () => {
  /** One worker serves all accounts. */
  const work = join(scratch, 'account-work');

  test('disappear if they are public and their producer has withdrawn them', async () => {
    const root = join(scratch, 'withdrawn');
    const acme = await openAccount(root);
    writeSmallCells(join(root, 'own'), latticeOf(1, 1, [30, 10]), 7);
    acme.add('ZZ500007', join(root, 'own'));
    await acme.run('rebuild');
    expect(await acme.shown()).toEqual(['ZZ500000', 'ZZ500001', 'ZZ500007']);
    rmSync(join(acme.enc, 'ZZ500001'), { recursive: true });
    await expect(acme.run('rebuild')).rejects.toThrow(/would lack a cell .* ZZ500001/);
    await acme.publish();
    expect((await acme.run('rebuild')).state).toBe('succeeded');
    expect(await acme.shown()).toEqual(['ZZ500000', 'ZZ500007']);
  });

  test('disappear if they are public, and a refresh that is not published has withdrawn them', async () => {
    const root = join(scratch, 'refreshing');
    const enc = join(root, 'enc');
    const acme = await openAccount(root, { producers: [{ folder: enc }] });
    writeSmallCells(join(root, 'own'), latticeOf(1, 1, [30, 10]), 7);
    acme.add('ZZ500007', join(root, 'own'));
    await refreshCells(work, [{ folder: enc }], async () =>
      rmSync(join(enc, 'ZZ500001'), { recursive: true }),
    );
    const { state, overBuild } = await acme.run('rebuild');
    expect([state, overBuild]).toEqual(['succeeded', (await readPointer(acme.bucket))?.buildId]);
    expect(await acme.shown()).toEqual(['ZZ500000', 'ZZ500007']);
  });

  test('are recorded over the public build that was read with the public uploads', async () => {
    const root = join(scratch, 'pairs');
    const more: Partial<JobInput> = {};
    const acme = await openAccount(root, more);
    writeSmallCells(join(root, 'own'), latticeOf(1, 1, [30, 10]), 7);
    acme.add('ZZ500007', join(root, 'own'));
    const below = await readPointer(acme.bucket);
    writeSmallCells(acme.enc, latticeOf(1, 1, [25, 15]), 8);
    await acme.publish();
    Object.assign(more, { below: () => below });
    expect((await acme.run('rebuild')).overBuild).toBe(below?.buildId);
  });

  test('disappear with their upload before its files are deleted', async () => {
    const root = join(scratch, 'deleted');
    let seen: unknown;
    const acme = await openAccount(root, {
      removed: async () => {
        const files = await acme.bucket.list('chart-uploads/acme/ZZ500008/');
        seen = [await acme.shown(), (files ?? []).length > 0];
      },
    });
    for (const [number, west] of [
      [7, 30],
      [8, 32],
    ] as const) {
      const name = `ZZ50000${number}`;
      writeSmallCells(join(root, name), latticeOf(1, 1, [west, 10]), number);
      acme.add(name, join(root, name));
    }
    await acme.run('rebuild');
    expect((await acme.run('delete', 'ZZ500008')).state).toBe('succeeded');
    expect(seen).toEqual([['ZZ500000', 'ZZ500001', 'ZZ500007'], true]);
    expect(await acme.bucket.list('chart-uploads/acme/ZZ500008/')).toEqual([]);
  });

  test('disappear if an upload withdraws all of them, and the public cells stay', async () => {
    const root = join(scratch, 'cancelled');
    const acme = await openAccount(root);
    writeSmallCells(join(root, 'own'), latticeOf(1, 1, [30, 10]), 7);
    acme.add('ZZ500007', join(root, 'own'));
    await acme.run('rebuild');
    expect(await acme.shown()).toEqual(['ZZ500000', 'ZZ500001', 'ZZ500007']);
    const cancellation = update(1, {}, { name: 'ZZ500007.001', edition: '0' });
    mkdirSync(join(root, 'update'));
    writeFileSync(join(root, 'update', 'ZZ500007.001'), encodeFile(cancellation));
    acme.put('update', join(root, 'update'));
    expect(await acme.run('upload', 'update')).toMatchObject({
      state: 'succeeded',
      message: '0 cells are part of the charts. 1 withdrawn.',
      cells: [{ name: 'ZZ500007', outcome: 'cancelled' }],
    });
    expect(await acme.shown()).toEqual(['ZZ500000', 'ZZ500001']);
  });
});
