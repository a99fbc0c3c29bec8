// A resumable upload (tus 1.0) whose connection is lost: it continues, and its
// charts are live.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChartUpload } from '../../../shared/contract/charts.ts';
import { zipDirectory, zipFiles } from '../../../shared/region/stored-zip.ts';
import { uploadsStore } from '../../../workers/host/serve/state-folder.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
} from '../../support/chart-uploads.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';
import { writtenBytes } from '../../support/written-chart.ts';

const BOX = [30, 10, 30.05, 10.05] as const;
const CELL = writtenBytes({
  ...{ name: 'ZZ5ACME1', usageBand: 5, scaleDenominator: 10_000 },
  areas: [
    ['M_COVR', BOX, { CATCOV: 1 }],
    ['DEPARE', BOX, { DRVAL1: 10, DRVAL2: 20 }],
  ],
});
const TILE = '/api/v2/tiles/data-geojson-v1/14/9557/7734.json';
const MEBI = 2 ** 20;

/** 30 MB with a cell. */
function largeZip(): Buffer {
  const { bytes, members } = zipFiles([
    ['ENC_ROOT/README.TXT', Buffer.alloc(30e6, 'A text of some length. ')],
    ['ENC_ROOT/ZZ5ACME1.000', CELL],
  ]);
  return Buffer.concat([bytes, zipDirectory(members, bytes.length)]);
}

let dist: Dist;
let service: SelfHosted;
beforeAll(async () => {
  dist = await makeDist();
  service = await startUploadService(dist);
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
});

const tus = { 'tus-resumable': '1.0.0' };
const create = (ask: ChartAccount['ask'], length: number) =>
  ask('/api/v1/charts/upload/tus', {
    method: 'POST',
    headers: {
      ...{ ...tus, 'upload-length': `${length}` },
      'upload-metadata': `filename ${btoa('large.zip')}`,
    },
  });
const partOf = (offset: number) => ({
  ...{ ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}` },
});

test('an upload continues after its connection was lost, and its charts are live', async () => {
  const token = await service.token({ account: 'acme' });
  const acme = chartAccount(service.address, token);
  const rival = chartAccount(service.address, await service.token({ account: 'rival' }));
  const bytes = largeZip();
  const made = await create(acme.ask, bytes.length);
  expect(made.status).toBe(201);
  const path = made.headers.get('location')!;
  const offsetOf = async () => {
    const { headers } = await acme.ask(path, { method: 'HEAD', headers: tus });
    return Number(headers.get('upload-offset'));
  };

  const headers = {
    ...partOf(0),
    authorization: `Bearer ${token}`,
    'content-length': bytes.length,
  };
  const lost = request(service.address + path, { method: 'PATCH', headers });
  lost.on('error', () => undefined);
  await new Promise((done) => lost.write(bytes.subarray(0, 12 * MEBI), done));
  await expect.poll(offsetOf).toBeGreaterThan(0);
  lost.destroy();
  // What arrived after the last whole piece is stored too.
  await expect.poll(offsetOf).toBeGreaterThan(8 * MEBI);
  const offset = await offsetOf();
  expect(offset).toBeLessThanOrEqual(12 * MEBI);

  const wrong = await acme.ask(path, { method: 'PATCH', headers: partOf(0), body: 'x' });
  expect(wrong.status).toBe(409);
  expect((await rival.ask(path, { method: 'HEAD', headers: tus })).status).toBe(404);
  const rest = await acme.ask(path, {
    ...{ method: 'PATCH', headers: partOf(offset) },
    body: bytes.subarray(offset) as Uint8Array<ArrayBuffer>,
  });
  expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, `${bytes.length}`]);
  const job = await acme.jobOf({ id: path.split('/').at(-1) } as ChartUpload);
  expect(job).toMatchObject({ jobType: 'upload', jobState: 'succeeded' });
  expect(job.result?.message).toBe('1 cell is part of the charts.');
  const tile = async () => (await acme.ask(TILE)).text();
  await expect.poll(tile).toContain('ZZ5ACME1');
});

test('a refused part of an upload is deleted', async () => {
  const token = await service.token({ account: 'acme' });
  const { ask } = chartAccount(service.address, token);
  const made = await create(ask, 10);
  const path = made.headers.get('location')!;
  const headers = { ...partOf(0), authorization: `Bearer ${token}`, 'content-length': 10 };
  const slow = request(service.address + path, { method: 'PATCH', headers });
  const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
  await new Promise((done) => slow.write('slow ', done));
  const fast = await ask(path, { method: 'PATCH', headers: partOf(0), body: 'fast' });
  expect(fast.status).toBe(204);
  slow.end('bytes');
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(409);
  const folder = join(uploadsStore(service.data), 'acme', path.split('/').at(-1)!);
  expect(readdirSync(folder)).toHaveLength(1);
});
