// Encrypted charts (S-63) that an account uploads: permits, what others see, and what is on the disk.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipDirectory, zipFiles } from '../../../shared/region/stored-zip.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
} from '../../support/chart-uploads.ts';
import { DataServer, SigningKey } from '../../support/s63-server.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  type SelfHosted,
} from '../../support/self-hosted.ts';
import { writtenBytes } from '../../support/written-chart.ts';

const CELL = 'ZZ5SECR1';
const ROCK = 'Secret Rock';
const plain = writtenBytes({
  name: CELL,
  usageBand: 5,
  scaleDenominator: 10_000,
  areas: [
    ['M_COVR', [30, 10, 30.05, 10.05], { CATCOV: 1 }],
    ['DEPARE', [30, 10, 30.05, 10.05], { DRVAL1: 10, DRVAL2: 20 }],
  ],
  points: [['UWTROC', [30.02, 10.02], { VALSOU: 4.5, WATLEV: 3, OBJNAM: ROCK }]],
});
const TILE = '/api/v2/tiles/data-geojson-v1/14/9558/7733.json';
const REGION = '/api/v1/regions?bbox=30,10,30.05,10.05&maxZoom=14';

const scheme = new SigningKey();
const server = new DataServer('AA', scheme);
const zipOf = (entries: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const { bytes, members } = zipFiles([...entries]);
  return Buffer.concat([bytes, zipDirectory(members, bytes.length)]);
};
const delivery = {
  name: 'V01X01.zip',
  bytes: zipOf(server.delivery(new Map([[`${CELL}.000`, plain]]))),
};
const permitFile = (expires: string) => ({
  name: 'PERMIT.TXT',
  bytes: server.permitFile([server.permit(CELL, { expires })]),
});

const scratch = scratchFolder();
let dist: Dist;
let service: SelfHosted;
let acme: ChartAccount;
let rival: ChartAccount;
beforeAll(async () => {
  writeFileSync(join(scratch, 'IHO.PUB'), scheme.publicFile);
  dist = await makeDist();
  const data = makeData();
  // A worker was killed while it wrote a part.
  const left = join(data, 'chart-work', 'licensed-build', 'parts');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'names.pmtiles'), ROCK);
  service = await startUploadService(
    dist,
    {
      LEADLINE_S63_M_ID: '10',
      LEADLINE_S63_M_KEY: '10121',
      LEADLINE_S63_HW_ID: '12345',
      LEADLINE_S63_CACHE_KEY: '5a'.repeat(32),
      LEADLINE_S63_SA: join(scratch, 'IHO.PUB'),
      LEADLINE_S63_LICENSED: 'on',
    },
    data,
  );
  const open = async (account: string) =>
    chartAccount(service.address, await service.token({ account }));
  [acme, rival] = [await open('acme'), await open('rival')];
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
});

const textOf = async (account: ChartAccount, path: string): Promise<string> =>
  (await (await account.ask(path)).text()).replace(/"requestId":"[^"]*"/, '');

describe('encrypted charts of an account', () => {
  let publicTile: string;

  test('need a permit for the user permit that the service returns', async () => {
    publicTile = await textOf(acme, TILE);
    const permit = async () =>
      (await (await acme.ask('/api/portal/v1/charts/getPermit')).json()) as object;
    // The example of S-63, clause 4.2.2, with these ids.
    await expect
      .poll(permit, { timeout: 60_000, interval: 500 })
      .toEqual({ permitId: '66B5CBFDF7E4139D5B6086C23130' });
  });

  test('are refused without a permit, and shown after the permit was uploaded', async () => {
    const { upload, job } = await acme.process(delivery);
    expect(job.jobState).toBe('failed');
    expect(job.result?.message).toMatch(/^ZZ5SECR1 was refused\. SSE 11: There is no permit/);
    const kept = await acme.process(permitFile('20301231'));
    expect(kept.job.result?.message).toBe('1 permit is kept for the charts of the account.');
    expect(kept.upload).toMatchObject({ status: 'succeeded', isLive: true, cells: [] });

    const retry = await acme.ask(`/api/portal/v1/jobs/${upload.jobId}/retry`, { method: 'POST' });
    expect(retry.status).toBe(200);
    expect((await acme.jobOf(upload)).result?.message).toBe('1 cell is part of the charts.');
    await expect
      .poll(() => textOf(acme, TILE), { timeout: 60_000, interval: 500 })
      .toContain('UWTROC');
  });

  test('are seen by no other account, and are not in files of regions', async () => {
    expect(await textOf(rival, TILE)).toBe(publicTile);
    expect(await textOf(rival, `/api/v1/names?q=${ROCK.slice(0, 6)}`)).not.toContain(ROCK);
    expect(await textOf(acme, `/api/v1/names?q=${ROCK.slice(0, 6)}`)).toContain(ROCK);
    const refused = await acme.ask(REGION);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      'region_not_licensed',
    ]);
  });

  test('are refused for another account that has no valid permit of its own', async () => {
    const none = await rival.process(delivery);
    expect(none.job.result?.message).toContain('SSE 11');
    await rival.process(permitFile('20000101'));
    const expired = await rival.process(delivery);
    expect(expired.job.jobState).toBe('failed');
    expect(expired.job.result?.message).toContain('SSE 15');
    expect(await textOf(rival, TILE)).toBe(publicTile);
  });

  test('are on the disk of the worker only encrypted or sealed', () => {
    const work = join(service.data, 'chart-work');
    const files = readdirSync(work, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.some(({ parentPath }) => parentPath.includes('/sealed/acme'))).toBe(true);
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name));
      expect([name, bytes.includes(ROCK)]).toEqual([name, false]);
    }
    expect(service.lines.join('\n')).not.toContain(ROCK);
  });

  test('disappear when their permit is deleted', async () => {
    const { uploads } = (await (await acme.ask('/api/portal/v1/charts/uploads')).json()) as {
      uploads: { filename: string }[];
    };
    const permit = uploads.find(({ filename }) => filename === 'PERMIT.TXT');
    await acme.remove(permit as never);
    await expect
      .poll(() => textOf(acme, TILE), { timeout: 60_000, interval: 500 })
      .toBe(publicTile);
  });
});

test.each([
  [
    'a permit with a wrong checksum',
    () => server.permit(CELL).replace(/.{5},0/, 'AAAAA,0'),
    /SSE 13/,
  ],
  ['a permit that is too short', () => 'ZZ5SECR120301231AAAA,0,1,AA,', /SSE 12/],
])('reports %s', async (_, record, text) => {
  const bytes = server.permitFile([record()]);
  const { job } = await rival.process({ name: 'PERMIT.TXT', bytes });
  expect(job.jobState).toBe('failed');
  expect(job.result?.message).toMatch(text);
});
