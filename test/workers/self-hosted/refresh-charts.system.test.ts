// The public charts follow a producer: a refresh downloads new editions, removes withdrawn cells, and
// publishes for all accounts.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChartJob } from '../../../shared/contract/charts.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
} from '../../support/chart-uploads.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';
import { openProducer, type Producer } from '../../tiles-build/sync/support/producer.ts';
import { cellZip } from '../../tiles-build/sync/support/producer-cells.ts';

const scratch = scratchFolder();
let producer: Producer;
let dist: Dist;
let service: SelfHosted;
let operator: ChartAccount;
beforeAll(async () => {
  producer = await openProducer();
  dist = await makeDist();
  const cells = join(scratch, 'producer');
  mkdirSync(cells);
  service = await startUploadService(dist, {
    INITIAL_ADMIN_EMAIL: 'admin@leadline.example',
    INITIAL_ADMIN_PASSWORD: 'seven grey herons',
    LEADLINE_SYNC: `--from ${producer.base}/ENCProdCat.xml --cells ${cells} --all --remove-many`,
  });
  operator = chartAccount(service.address, await service.token({ account: 'operator' }));
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
  await producer?.close();
});

function offer(cells: Readonly<Record<string, number>>): void {
  producer.list = Object.entries(cells).map(([name, edition]) => ({ name, edition }));
  for (const [name, edition] of Object.entries(cells)) {
    producer.zips.set(`${name}.zip`, cellZip(name, edition));
  }
}

async function refresh(): Promise<ChartJob> {
  const ask = () => operator.ask('/api/v1/charts/refresh', { method: 'POST' });
  // The worker may not have connected yet.
  await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
  const { jobId } = (await (await ask()).json()) as { jobId: string };
  return operator.endOf(jobId);
}

/** Names and editions of the producer's cells in the current build. */
async function shown(): Promise<string[]> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(join(service.data, 'store/charts/current.json'), 'utf8');
  const { cells } = JSON.parse(text) as { cells: { name: string; edition: number }[] };
  return cells
    .filter(({ name }) => name.startsWith('US5'))
    .map((one) => `${one.name} ${one.edition}`);
}

test('a refresh follows the producer: new cells, new editions and withdrawn cells', async () => {
  offer({ US5AA01M: 1, US5AA02M: 1 });
  const first = await refresh();
  expect(first).toMatchObject({ jobType: 'refresh', jobState: 'succeeded', isPublic: true });
  expect(first.steps.map(({ stepName }) => stepName)).toEqual(['refresh', 'build', 'publish']);
  expect(first.logs.map(({ message }) => message).join('\n')).toContain('2 fetched');
  expect(await shown()).toEqual(['US5AA01M 1', 'US5AA02M 1']);
  offer({ US5AA01M: 2 });
  expect((await refresh()).jobState).toBe('succeeded');
  expect(await shown()).toEqual(['US5AA01M 2']);
});

test('a refresh publishes what it could download, and names the rest', async () => {
  offer({ US5AA01M: 3, US5AA03M: 1 });
  producer.zips.delete('US5AA03M.zip');
  const job = await refresh();
  expect(job.jobState).toBe('succeeded');
  expect(job.result?.message).toContain('Some cells could not be updated');
  expect(job.logs.map(({ message }) => message).join('\n')).toContain('US5AA03M was not found');
  expect(await shown()).toEqual(['US5AA01M 3']);
});

test('a refresh fails and changes nothing when the producer is unavailable', async () => {
  producer.decide = () => 'gone';
  const job = await refresh();
  expect(job.jobState).toBe('failed');
  expect(job.result?.message).toMatch(/Nothing was changed/);
  expect(await shown()).toEqual(['US5AA01M 3']);
});

test('a refresh needs an account with an administrator', async () => {
  const rival = chartAccount(service.address, await service.token({ account: 'rival' }));
  expect((await rival.ask('/api/v1/charts/refresh', { method: 'POST' })).status).toBe(403);
});
