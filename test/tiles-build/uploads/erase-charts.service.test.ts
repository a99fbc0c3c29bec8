// Erasing the charts of an account.

import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestKey } from '../../../shared/chart/manifest.ts';
import { openFolderBucket } from '../../../tiles-build/publish/folder-bucket.ts';
import type { JobInput } from '../../../tiles-build/uploads/change-charts.ts';
import { runJob } from '../../../tiles-build/uploads/run-job.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = scratchFolder();

test('deletes the files and copies of the account, and keeps its uploads to the public charts', async () => {
  const [store, work] = ['store-', 'work-'].map((name) => mkdtempSync(join(scratch, name)));
  const bucket = openFolderBucket(store!);
  for (const key of ['acme/own/cell.000', 'acme/public/cell.000', 'other/own2/cell.000']) {
    await bucket.putText(`chart-uploads/${key}`, 'a cell');
  }
  for (const id of ['own', 'public', 'own2']) {
    mkdirSync(join(work!, 'uploads', id), { recursive: true });
  }
  const input = {
    job: { kind: 'erase', account_id: 'acme' },
    bucket,
    work: work!,
    uploads: [],
    publicUploads: [{ id: 'public', account_id: 'acme' }],
  } as unknown as JobInput;
  expect(await runJob(input)).toMatchObject({ state: 'succeeded' });
  expect((await bucket.list('chart-uploads/'))?.toSorted()).toEqual([
    'chart-uploads/acme/public/cell.000',
    'chart-uploads/other/own2/cell.000',
  ]);
  const copies = ['own', 'public', 'own2'].map((id) => existsSync(join(work!, 'uploads', id)));
  expect(copies).toEqual([false, true, true]);
});

test('deletes charts whose pointer or list of builds is damaged', async () => {
  const bucket = openFolderBucket(mkdtempSync(join(scratch, 'store-')));
  const erase = { kind: 'erase', account_id: 'acme' };
  const input = { job: erase, bucket, work: scratch, uploads: [], publicUploads: [] };
  const history = JSON.stringify({ format: 1, buildIds: ['first', 'second'] });
  for (const listed of [history, 'damaged']) {
    await bucket.putText('sets/acme/current.json', 'damaged');
    await bucket.putText('sets/acme/history.json', listed);
    await bucket.putText(manifestKey('second'), 'a manifest');
    expect(await runJob(input as unknown as JobInput)).toMatchObject({ state: 'succeeded' });
    expect(await bucket.list('sets/')).toEqual([]);
    // Without a list, the builds are not known.
    const left = await bucket.readText(manifestKey('second'));
    expect(left).toBe(listed === history ? undefined : 'a manifest');
  }
});
