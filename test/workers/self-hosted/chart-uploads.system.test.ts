// Charts that an account uploads to the self-hosted service: who sees them, and what a job reports.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChartSets } from '../../../shared/contract/charts.ts';
import { zipDirectory, zipFiles } from '../../../shared/region/stored-zip.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
  type UploadFile,
} from '../../support/chart-uploads.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';
import { type WrittenPlan, writtenBytes } from '../../support/written-chart.ts';

const BOX = [30, 10, 30.05, 10.05] as const;
/** A harbour where no other chart is. */
const HARBOUR: WrittenPlan = {
  name: 'ZZ5ACME1',
  usageBand: 5,
  scaleDenominator: 10_000,
  areas: [
    ['M_COVR', BOX, { CATCOV: 1 }],
    ['DEPARE', [30, 10, 30.04, 10.05], { DRVAL1: 10, DRVAL2: 20 }],
    ['LNDARE', [30.04, 10, 30.05, 10.05]],
  ],
  points: [['UWTROC', [30.02, 10.02], { VALSOU: 4.5, WATLEV: 3, OBJNAM: 'Acme Rock' }]],
};
const TILE = '14/9558/7733';
/** Of the public charts. */
const PUBLIC_TILE = '14/9103/6201';

const file = (name: string, bytes: Uint8Array): UploadFile => ({ name, bytes });
const harbour = file('ZZ5ACME1.000', writtenBytes(HARBOUR));
function zipOf(files: readonly UploadFile[]): Uint8Array {
  const { bytes, members } = zipFiles(files.map((one) => [`ENC_ROOT/${one.name}`, one.bytes]));
  return Buffer.concat([bytes, zipDirectory(members, bytes.length)]);
}

let dist: Dist;
let service: SelfHosted;
let acme: ChartAccount;
let rival: ChartAccount;
const accounts: Record<string, ChartAccount> = {};
beforeAll(async () => {
  dist = await makeDist();
  service = await startUploadService(dist);
  for (const account of ['acme', 'rival', 'neither']) {
    accounts[account] = chartAccount(service.address, await service.token({ account }));
  }
  ({ acme, rival } = accounts as Record<'acme' | 'rival', ChartAccount>);
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
});

const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
const position = { latitude: 10.02, longitude: 30.02 };
const line = {
  type: 'LineString',
  coordinates: [
    [30.01, 10.01],
    [30.03, 10.03],
  ],
};
const corners = '30,10,30.05,10.05';
/** Every endpoint that answers from charts, asked about the harbour. */
const QUESTIONS: readonly (readonly [path: string, init?: RequestInit])[] = [
  [`/api/v2/tiles/enc-v2/${TILE}.mvt`],
  [`/api/v2/tiles/data-geojson-v1/${TILE}.json`],
  [`/api/v2/tiles/data-shoreline-v1/${TILE}.json`],
  [`/api/v2/tiles/raster-v1/${TILE}.png`],
  ['/api/v2/tiles/enc-v2.json'],
  ['/api/v1/enc_query', post({ position, radius: 1000, zoom: 14 })],
  ['/api/v1/depth-profile', post({ geometry: line, numSamples: 20 })],
  ['/api/v1/names?q=Acme'],
  [`/api/v1/regions/plan?bbox=${corners}&maxZoom=14`],
  [`/api/v1/regions?bbox=${corners}&maxZoom=14`],
  ['/api/v1/datasets/attributions'],
  ['/api/v1/styles/base.json'],
  ['/api/v1/styles/raster.json'],
];
const ROUTE_PATH = '/api/v1/routing/route';
/** Endpoints for tokens that read no charts: reports, soundings, tides, jobs, tokens, saved styles. */
const WITHOUT_CHARTS =
  /^\/api\/(v1\/(user-reports|bathymetry|crowd|water-level|jobs|charts\/upload|demo-token|user-tokens)|v2\/tiles\/crowd|portal\/v1\/styles)/;
const ROUTE = {
  waypoints: [
    [10.01, 30.01],
    [10.03, 30.03],
  ],
};
/** Status, ETag and body of every answer, without ids of requests. */
async function answersOf(account: ChartAccount): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const [path, init] of QUESTIONS) {
    const answer = await account.ask(path, init);
    const body = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    seen[path] = [answer.status, answer.headers.get('etag') ?? '', body]
      .join(' ')
      .replace(/"requestId":"[^"]*"/g, '');
  }
  return seen;
}

test('all endpoints of charts are asked', async () => {
  const { paths } = (await (await acme.ask('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { tags: string[] }>>;
  };
  const asked = [...QUESTIONS.map(([path]) => path.replace(/\?.*/, '')), ROUTE_PATH];
  const missing = Object.entries(paths)
    .filter(([path, operations]) => {
      const isOfUsers = Object.values(operations).every(({ tags }) => tags.includes('Portal'));
      return path.startsWith('/api/') && !isOfUsers && !WITHOUT_CHARTS.test(path);
    })
    .map(([path]) => path)
    .filter((path) => {
      const form = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      return !asked.some((one) => form.test(one));
    });
  expect(missing).toEqual([]);
});

/** The answers to an account when they differ from earlier ones. */
async function changedFrom(before: Record<string, string>): Promise<Record<string, string>> {
  await expect.poll(() => answersOf(acme), { timeout: 60_000, interval: 1000 }).not.toEqual(before);
  return answersOf(acme);
}

describe('charts of an account', () => {
  let before: Record<string, string>;

  test('are the public ones before the first upload', async () => {
    before = await answersOf(acme);
    expect(await answersOf(rival)).toEqual(before);
    expect(before[`/api/v2/tiles/data-geojson-v1/${TILE}.json`]).not.toContain('ZZ5ACME1');
  });

  test('contain an uploaded cell, which no other account sees in any answer', async () => {
    const { upload, job } = await acme.process(file('harbour.zip', zipOf([harbour])));
    expect(job).toMatchObject({ jobState: 'succeeded', percentComplete: 100 });
    expect(job.result?.message).toBe('1 cell is part of the charts.');
    expect(job.steps.map(({ stepName, status }) => [stepName, status])).toEqual(
      ['receive', 'check', 'build', 'publish'].map((name) => [name, 'succeeded']),
    );
    expect(upload).toMatchObject({ status: 'succeeded', isLive: true, totalCharts: 1 });
    expect(upload.cells).toEqual([
      { name: 'ZZ5ACME1', outcome: 'accepted', edition: 1, update: 0, problems: [] },
    ]);
    const after = await changedFrom(before);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed).toEqual(QUESTIONS.map(([path]) => path));
    expect(after[`/api/v2/tiles/data-geojson-v1/${TILE}.json`]).toContain('UWTROC');
    expect(after['/api/v1/names?q=Acme']).toContain('Acme Rock');
    for (const name of ['rival', 'neither']) {
      expect([name, await answersOf(accounts[name]!)]).toEqual([name, before]);
    }
    // The public charts are still there.
    const path = `/api/v2/tiles/enc-v2/${PUBLIC_TILE}.mvt`;
    const [tile, publicTile] = [await acme.ask(path), await rival.ask(path)];
    expect(tile.status).toBe(200);
    expect(Buffer.from(await tile.arrayBuffer())).toEqual(
      Buffer.from(await publicTile.arrayBuffer()),
    );
  });

  test('do not reveal anything about uploads and jobs to other accounts', async () => {
    const { uploads } = (await (await acme.ask('/api/portal/v1/charts/uploads')).json()) as {
      uploads: { id: string; jobId: string }[];
    };
    const [{ id, jobId }] = uploads as [{ id: string; jobId: string }];
    for (const [method, path] of [
      ['GET', `/charts/uploads/${id}`],
      ['DELETE', `/charts/uploads/${id}`],
      ['GET', `/jobs/${jobId}`],
      ['POST', `/jobs/${jobId}/cancel`],
      ['POST', `/jobs/${jobId}/retry`],
    ] as const) {
      const { status } = await rival.ask(`/api/portal/v1${path}`, { method });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect(await (await rival.ask('/api/v1/jobs')).json()).toEqual([]);
  });

  test('answer 404 to a delta from a region file of another account', async () => {
    const own = (await (
      await acme.ask(`/api/v1/regions/plan?bbox=${corners}&maxZoom=14`)
    ).json()) as {
      id: string;
    };
    const path = `/api/v1/regions?bbox=${corners}&maxZoom=14&from=${encodeURIComponent(own.id)}`;
    expect((await acme.ask(path)).status).toBe(200);
    expect((await rival.ask(path)).status).toBe(404);
  });

  test('stay as they are when a cell is refused, and the report names the reason', async () => {
    const held = await answersOf(acme);
    const half = harbour.bytes.slice(0, harbour.bytes.length / 2);
    const { job, upload } = await acme.process(file('ZZ5ACME2.000', half));
    expect(job.jobState).toBe('failed');
    expect(job.result?.message).toContain('ZZ5ACME2 was refused.');
    expect(upload).toMatchObject({ status: 'failed', isLive: false });
    expect(upload.cells[0]).toMatchObject({ name: 'ZZ5ACME2', outcome: 'refused' });
    expect(JSON.stringify([job, upload])).not.toContain('/tmp');
    expect(await answersOf(acme)).toEqual(held);
  });

  test('return to an earlier version and back, as long as its uploads exist', async () => {
    const sets = async (): Promise<ChartSets['sets']> =>
      ((await (await acme.ask('/api/portal/v1/charts/sets')).json()) as ChartSets).sets;
    const back = (id: string, account = acme) =>
      account.ask(`/api/portal/v1/charts/sets/${id}/return`, { method: 'POST' });
    const [first] = await sets();
    expect(first).toMatchObject({ isCurrent: true, canReturn: false, cells: ['ZZ5ACME1'] });
    const held = await answersOf(acme);
    const moved = writtenBytes({ ...HARBOUR, name: 'ZZ5ACME3', points: [] });
    const { upload } = await acme.process(file('ZZ5ACME3.000', moved));
    const both = await changedFrom(held);
    const [second] = await sets();
    expect(second?.cells).toEqual(['ZZ5ACME1', 'ZZ5ACME3']);
    expect((await back(first!.id, rival)).status).toBe(404);

    const ended = async (id: string) => {
      const answer = await back(id);
      return acme.endOf(((await answer.json()) as { id: string }).id);
    };
    expect(await ended(first!.id)).toMatchObject({ jobType: 'rollback', jobState: 'succeeded' });
    await expect.poll(() => answersOf(acme), { timeout: 60_000, interval: 1000 }).toEqual(held);
    expect((await acme.readUpload(upload.id)).isLive).toBe(false);
    expect((await sets()).map(({ id, canReturn }) => [id, canReturn])).toEqual([
      [first!.id, false],
      [second!.id, true],
    ]);
    expect(await ended(second!.id)).toMatchObject({ jobState: 'succeeded' });
    await expect.poll(() => answersOf(acme), { timeout: 60_000, interval: 1000 }).toEqual(both);
    expect((await acme.readUpload(upload.id)).isLive).toBe(true);

    await acme.remove(upload);
    await expect.poll(() => answersOf(acme), { timeout: 60_000, interval: 1000 }).toEqual(held);
    expect((await sets()).map(({ id, canReturn }) => [id, canReturn])).toEqual([
      [first!.id, false],
      [second!.id, false],
    ]);
    expect((await back(second!.id)).status).toBe(409);
  });

  test.each([
    ['a damaged zip', 'broken.zip', zipOf([harbour]).subarray(0, 300), /cannot be read as a zip/],
    ['a zip without cells', 'none.zip', zipOf([file('README.TXT', Buffer.from('no'))]), /no cell/],
    ['a permit', 'PERMIT.TXT', Buffer.from(':DATE 20260101\n'), /encrypted charts \(S-63\)/],
  ])('stay as they are after %s', async (_, name, bytes, message) => {
    const { job } = await acme.process(file(name, bytes));
    expect(job.jobState).toBe('failed');
    expect(job.result?.message).toMatch(message);
  });

  test('are the public ones again after the upload was deleted', async () => {
    const { uploads } = (await (await acme.ask('/api/portal/v1/charts/uploads')).json()) as {
      uploads: (typeof HARBOUR & { id: string; isLive: boolean })[];
    };
    for (const upload of uploads) await acme.remove(upload as never);
    await expect.poll(() => answersOf(acme), { timeout: 60_000, interval: 1000 }).toEqual(before);
  });
});

test('the route of an account uses its own charts', async () => {
  const route = async (account: ChartAccount, token: string) =>
    (await account.ask(`${ROUTE_PATH}?token=${token}`, post(ROUTE))).json();
  const tokens = {
    acme: await service.token({ account: 'acme' }),
    rival: await service.token({ account: 'rival' }),
  };
  const publicRoute = await route(rival, tokens.rival);
  await acme.process(harbour);
  await expect
    .poll(() => route(acme, tokens.acme), { timeout: 60_000, interval: 1000 })
    .not.toEqual(publicRoute);
  expect(await route(rival, tokens.rival)).toEqual(publicRoute);
});
