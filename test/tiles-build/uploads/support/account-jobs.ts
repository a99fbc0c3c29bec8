// An account with public charts of two cells, and the jobs of a worker for its uploads.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CellReport } from '../../../../shared/contract/charts.ts';
import { buildCharts } from '../../../../tiles-build/pipeline/build-charts.ts';
import { openFolderBucket } from '../../../../tiles-build/publish/folder-bucket.ts';
import { readPointer } from '../../../../tiles-build/publish/history.ts';
import { publishBuild } from '../../../../tiles-build/publish/publish.ts';
import { bucketOfSet } from '../../../../tiles-build/publish/set-pointers.ts';
import type { JobInput } from '../../../../tiles-build/uploads/change-charts.ts';
import type { JobProgress } from '../../../../tiles-build/uploads/job-progress.ts';
import type { Job, JobEnd, Upload } from '../../../../tiles-build/uploads/job-store.ts';
import { runJob } from '../../../../tiles-build/uploads/run-job.ts';
import { keptThread } from '../../../support/build-threads.ts';
import { smallCharts } from '../../../support/chart-uploads.ts';

export const THREADS = 1;

export const silent: JobProgress = {
  begin: () => undefined,
  log: () => undefined,
  check: () => undefined,
  flush: async () => undefined,
  interrupt: () => undefined,
  build: { start: () => undefined, step: () => undefined },
  close: async () => undefined,
};

export const willPublish = async () => undefined;
export const removed = async () => undefined;

/** Stores the files of cells as the service does. */
export function putUpload(store: string, id: string, folder: string): Upload {
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

/** A cell that was accepted. */
export const accepted = (name: string): CellReport => ({
  ...{ name, outcome: 'accepted', edition: 1, update: 0, problems: [] },
});

/**
 * A bucket with public charts of two cells, and the jobs of an account. Accounts next to each other have one worker.
 * @param more other input of the jobs, which may change between them
 */
export async function openAccount(root: string, more: Partial<JobInput> = {}) {
  const [enc, store] = [join(root, 'enc'), join(root, 'store')];
  const bucket = openFolderBucket(store);
  const { enc: publicCells, background, charts } = await smallCharts();
  // Tests change them.
  cpSync(publicCells, enc, { recursive: true });
  await publishBuild(charts, bucket);
  const publish = async () => {
    const out = join(root, 'public');
    await buildCharts({ enc: [enc], background, out, jobs: THREADS, pool: keptThread() });
    await publishBuild(out, bucket);
  };
  const uploads: Upload[] = [];
  const run = async (kind: Job['kind'], upload_id: string | null = null): Promise<JobEnd> => {
    const below = await readPointer(bucket);
    return runJob({
      ...{ bucket, enc: [enc], background, work: join(root, '../account-work') },
      ...{ uploads, publicUploads: [], progress: silent, willPublish, removed, threads: THREADS },
      below: () => below,
      ...more,
      job: { id: 'job', account_id: 'acme', is_public: false, kind, upload_id } as Job,
    });
  };
  return {
    ...{ bucket, enc, publish, run },
    put: (id: string, folder: string) => void uploads.push(putUpload(store, id, folder)),
    /** An upload that was accepted: by default, of one cell with its name. The next job builds it. */
    add: (id: string, folder: string, cells = [accepted(id)]) =>
      void uploads.push({ ...putUpload(store, id, folder), is_live: true, cells }),
    shown: async () =>
      (await readPointer(bucketOfSet(bucket, 'acme')))?.cells
        .filter(({ status }) => status === 'used')
        .map(({ name }) => name),
  };
}
