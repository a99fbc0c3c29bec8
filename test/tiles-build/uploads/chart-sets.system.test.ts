// The charts of an account equal one build of the public cells and its own: for random sets of small cells, every
// archive has the same bytes, and with it every tile, query, name and route.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { partsOf } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import { readPointer } from '../../../tiles-build/publish/history.ts';
import { publishBuild } from '../../../tiles-build/publish/publish.ts';
import { bucketOfSet } from '../../../tiles-build/publish/set-pointers.ts';
import type { JobProgress } from '../../../tiles-build/uploads/job-progress.ts';
import type { Job, Upload } from '../../../tiles-build/uploads/job-store.ts';
import { runJob } from '../../../tiles-build/uploads/run-job.ts';
import { smallCharts } from '../../support/chart-uploads.ts';
import { isLong } from '../../support/long-run.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from '../../support/small-cells.ts';

const SETS = isLong ? 200 : 1;
const SEED = 20_261_127;
const THREADS = 1;
const scratch = scratchFolder();

const silent: JobProgress = {
  begin: () => undefined,
  log: () => undefined,
  check: () => undefined,
  flush: async () => undefined,
  interrupt: () => undefined,
  build: { start: () => undefined, step: () => undefined },
  close: async () => undefined,
};

/** Stores the files of cells as the service does. */
function putUpload(store: string, id: string, folder: string): Upload {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  mkdirSync(join(store, 'chart-uploads', 'acme', id), { recursive: true });
  const listed = files.map((file, i) => {
    const bytes = readFileSync(join(file.parentPath, file.name));
    // In two pieces.
    const half = Math.ceil(bytes.length / 2);
    const at = join(store, 'chart-uploads', 'acme', id, String(i));
    writeFileSync(`${at}-0`, bytes.subarray(0, half));
    writeFileSync(`${at}-1`, bytes.subarray(half));
    return { name: basename(file.name), bytes: bytes.length, pieces: 2 };
  });
  return { id, account_id: 'acme', state: 'pending', is_live: false, files: listed, cells: [] };
}

/** Changes a byte in the scan of one cell. */
function damageScan(folder: string): void {
  const path = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((one) => readFileSync(one, 'latin1').startsWith('{"name":"ZZ5'))!;
  writeFileSync(path, readFileSync(path, 'latin1').replace('ZZ5', 'ZZ4'), 'latin1');
}

test(`random sets of cells have the archives of one build of all cells (${SETS})`, async () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < SETS; round++) {
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
    const end = await runJob({
      ...{ job, bucket, enc: [enc], background, work: join(root, 'work'), threads: THREADS, reuse },
      ...{ uploads: [putUpload(store, id, own)], publicUploads: [], progress: silent },
    });
    expect(end.state).toBe('succeeded');
    const set = await readPointer(bucketOfSet(bucket, 'acme'));
    const { manifest } = await buildCharts({
      ...{ enc: [enc, own], out: join(root, 'whole') },
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
  const end = runJob({
    ...{ job, bucket, enc: [], background, work: join(scratch, 'work'), threads: THREADS },
    ...{ uploads: [putUpload(store, id, own)], publicUploads: [] },
    progress: { ...silent, begin: (step) => void steps.push(step) },
  });
  await expect(end).rejects.toThrow(/would lack 2 cells .* Nothing was changed.*LEADLINE_CELLS/);
  expect(steps).toEqual(['receive', 'check']);
  expect(await readPointer(bucketOfSet(bucket, 'acme'))).toBeUndefined();
});
