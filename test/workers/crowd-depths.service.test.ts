// Crowdsourced depths through the service: tiles, TileJSON, the query near a position, and files.

import { VectorTile } from '@mapbox/vector-tile';
import { parse } from 'csv-parse/sync';
import { fromArrayBuffer } from 'geotiff';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import { createClient } from '../../workers/web/client/index.ts';
import { openRegion } from '../../workers/web/client/region.ts';
import { binAt, publishCrowd } from '../support/crowd-archive.ts';
import { type OpenApiDocument, responseCheck } from '../support/openapi.ts';
import { type Service, startService } from '../support/service.ts';

const BIN = binAt(-19.98, -30.02, { charted: 3, diff: 0.9 });
/** Some 100 m east of the first. */
const NEXT = binAt(-19.979, -30.02, {
  ...{ depth: 4.25, median: 5.85 },
  unc: 1.5,
  reduced: false,
  from: '2026-05',
  to: '2026-05',
});
const TILE = { z: 15, x: BIN.x >> 5, y: BIN.y >> 5 };

let service: Service;
let empty: Service;
let buildId: string;
beforeAll(async () => {
  const start = () => startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  [service, empty] = await Promise.all([start(), start()]);
  ({ buildId } = await publishCrowd(service, [BIN, NEXT]));
});
afterAll(() => Promise.all([service?.stop(), empty?.stop()]));

const tilePath = ({ z, x, y }: typeof TILE) => `/api/v2/tiles/crowd-depth-v1/${z}/${x}/${y}.mvt`;
const post = (to: Service, body: unknown) =>
  to.get('/api/v1/crowd_query', { method: 'POST', body: JSON.stringify(body) });
async function layersOf(tile: typeof TILE) {
  const response = await service.get(tilePath(tile));
  expect(response.status).toBe(200);
  return new VectorTile(new PbfReader(new Uint8Array(await response.arrayBuffer()))).layers;
}

describe('a tile of crowdsourced depths', () => {
  test('has squares and their centres with all attributes', async () => {
    const { crowd_depth: squares, crowd_depth_point: centres } = await layersOf(TILE);
    expect([squares!.length, centres!.length]).toEqual([2, 2]);
    const first = [0, 1].map((i) => squares!.feature(i)).find((one) => one.properties['diff'])!;
    expect(first.properties).toEqual({
      ...{ depth: 2.1, least: 2.5, median: 2.9, unc: 0.4, count: 34, platforms: 5 },
      ...{ from: '2026-05', to: '2026-11', reduced: true, charted: 3, diff: 0.9 },
    });
    const [ring] = first.loadGeometry();
    const side = 4096 / 32;
    const [left, top] = [(BIN.x % 32) * side, (BIN.y % 32) * side];
    expect(ring!.map(({ x, y }) => [x - left, y - top])).toEqual(
      expect.arrayContaining([
        [0, 0],
        [side, 0],
        [side, side],
        [0, side],
      ]),
    );
  });

  test('is cut from its parent above zoom 15, and is empty elsewhere and below zoom 6', async () => {
    const deep = { z: 18, x: BIN.x >> 2, y: BIN.y >> 2 };
    const { crowd_depth: squares } = await layersOf(deep);
    expect(squares!.feature(0).properties['depth']).toBe(2.1);
    for (const tile of [
      { z: 5, x: 14, y: 18 },
      { z: 15, x: 0, y: 0 },
    ]) {
      const response = await service.get(tilePath(tile));
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 0]);
    }
  });

  test('has an ETag of its build, which gives 304', async () => {
    const first = await service.get(tilePath(TILE));
    const etag = first.headers.get('etag')!;
    expect(etag).toContain(buildId);
    const second = await service.get(tilePath(TILE), { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(304);
  });

  test.each([
    ['/api/v2/tiles/crowd-depth-v1/23/0/0.mvt', 400, 'bad_tile'],
    ['/api/v2/tiles/crowd-depth-v1/15/32768/0.mvt', 400, 'bad_tile'],
    ['/api/v2/tiles/crowd-depth-v1/15/x/0.mvt', 400, 'bad_tile'],
  ])('%s is %i', async (path, status, code) => {
    const response = await service.get(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  test('has a TileJSON document with its bounds, attribution and layers', async () => {
    const document = await (await service.get('/api/v2/tiles/crowd-depth-v1.json')).json();
    expect(document).toMatchObject({
      ...{ name: 'crowd-depth-v1', version: `1.0.0+${buildId}`, minzoom: 6, maxzoom: 15 },
      bounds: [-20.2, -30.2, -19.8, -29.8],
      attribution: 'Tide stations of the tests · Not for navigation',
      vector_layers: [
        { id: 'crowd_depth', fields: { depth: 'Number', from: 'String', reduced: 'Boolean' } },
        { id: 'crowd_depth_point' },
      ],
    });
  });
});

describe('a service without crowdsourced depths', () => {
  test.each([
    ['GET', tilePath(TILE)],
    ['GET', '/api/v2/tiles/crowd-depth-v1.json'],
    ['POST', '/api/v1/crowd_query'],
    ['GET', '/api/v1/crowd-depths.csv?bbox=-20,-30.05,-19.95,-30'],
    ['GET', '/api/v1/crowd-depths.tif?bbox=-20,-30.05,-19.95,-30'],
  ])('answers %s %s with 404 no_crowd_data', async (method, path) => {
    const body = JSON.stringify({ position: { longitude: -19.98, latitude: -30.02 }, radius: 10 });
    const response = await empty.get(path, { method, ...(method === 'POST' ? { body } : {}) });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: 'no_crowd_data' },
    ]);
  });

  test('serves charts and attributions', async () => {
    expect((await empty.get('/api/v2/tiles/enc-v2/14/7282/9623.mvt')).status).toBe(200);
    const sources = (await (await empty.get('/api/v1/datasets/attributions')).json()) as object[];
    const both = (await (await service.get('/api/v1/datasets/attributions')).json()) as object[];
    expect(both).toEqual([...sources, expect.objectContaining({ id: 'tides' })]);
  });
});

describe('crowd_query', () => {
  const at = { longitude: -19.98, latitude: -30.02 };

  test('returns the cells nearest first, with a sentence', async () => {
    const check = responseCheck(
      (await (await service.get('/openapi.json')).json()) as OpenApiDocument,
    );
    const response = await post(service, { position: at, radius: 150 });
    const body = (await response.clone().json()) as { results: Record<string, unknown>[] };
    expect(response.status).toBe(200);
    expect(await check('POST', '/api/v1/crowd_query', response)).toEqual([]);
    expect(body.results).toHaveLength(2);
    expect(body.results[0]).toMatchObject({
      ...{ depth: 2.1, uncertainty: 0.4, soundings: 34, platforms: 5, charted: 3, shoaler: 0.9 },
      sentence:
        '2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May–November 2026, up to 0.9 m shoaler than charted',
    });
    expect(body.results[1]).toMatchObject({
      ...{ charted: null, shoaler: null, isReduced: false },
      sentence:
        '4.2 m (bed 5.8 m ± 1.5 m), 34 soundings by 5 boats, May 2026, not corrected for the tide',
    });
    expect(body.results[0]!['distance']).toBeLessThan(20);
    expect(body.results[1]!['distance']).toBeGreaterThan(60);
  });

  test('returns the cell at a position for a radius of 0, and nothing elsewhere', async () => {
    const results = async (position: object, radius: number) =>
      ((await (await post(service, { position, radius })).json()) as { results: object[] }).results;
    expect(await results(at, 0)).toHaveLength(1);
    expect(await results({ ...at, longitude: -19.5 }, 0)).toEqual([]);
    expect(await results({ longitude: 180, latitude: 90 }, 5000)).toEqual([]);
    expect(await results({ longitude: -180, latitude: -90 }, 5000)).toEqual([]);
  });

  test.each([500, 2000, 5000])('returns cells of one size within %i m', async (radius) => {
    const response = await post(service, { position: at, radius });
    const { results } = (await response.json()) as { results: { soundings: number }[] };
    // At most the two cells: coarser ones would repeat their soundings.
    expect(results.length).toBeLessThanOrEqual(2);
    const soundings = results.reduce((sum, one) => sum + one.soundings, 0);
    expect(soundings).toBe(34 * results.length);
    expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(results.length);
  });

  test.each([
    [{}],
    [{ position: at }],
    [{ position: at, radius: -1 }],
    [{ position: at, radius: 5001 }],
    [{ position: { longitude: 181, latitude: 0 }, radius: 1 }],
    [{ position: [1, 2], radius: 1 }],
  ])('refuses %j', async (body) => {
    const response = await post(service, body);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad_query' }]);
  });
});

describe('a file of a box', () => {
  const box = `${-19.981},${-30.021},${-19.978},${-30.019}`;

  test('is CSV with a line per cell', async () => {
    const response = await service.get(`/api/v1/crowd-depths.csv?bbox=${box}`);
    expect(response.headers.get('content-type')).toContain('text/csv');
    const rows = parse(await response.text(), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      DEPTH: '2.1',
      UNCERTAINTY_95: '0.4',
      SHOALER: '0.9',
      FROM: '2026-05',
    });
    expect(Number(rows[0]!['LON'])).toBeCloseTo(longitudeAt((BIN.x + 0.5) / 2 ** 20), 6);
    expect(Number(rows[0]!['LAT'])).toBeCloseTo(latitudeAt((BIN.y + 0.5) / 2 ** 20), 6);
    const other = await service.get('/api/v1/crowd-depths.csv?bbox=0,0,0.1,0.1');
    expect((await other.text()).trimEnd().split('\r\n')).toHaveLength(1);
  });

  test('has the cells of its zoom only, also in a box with empty tiles', async () => {
    const wide = 'bbox=-20,-30.05,-19.95,-30';
    for (const [zoom, cells] of [
      [15, 2],
      [10, 1],
    ]) {
      const csv = await service.get(`/api/v1/crowd-depths.csv?${wide}&zoom=${zoom}`);
      const rows = parse(await csv.text(), { columns: true }) as Record<string, string>[];
      expect(rows.map((row) => row['BIN_ZOOM'])).toEqual(Array(cells).fill(`${zoom! + 5}`));
    }
    const tif = await service.get(`/api/v1/crowd-depths.tif?${wide}&zoom=15`);
    const image = await (await fromArrayBuffer(await tif.arrayBuffer())).getImage();
    const [depths] = (await image.readRasters()) as unknown as [Float32Array];
    expect([...depths].filter((depth) => depth !== -9999)).toHaveLength(2);
  });

  test.each([
    ['', 400, 'bad_query'],
    ['bbox=1,2,3', 400, 'bad_query'],
    [`bbox=${box}&zoom=5`, 400, 'bad_query'],
    [`bbox=${box}&zoom=16`, 400, 'bad_query'],
    ['bbox=-20,-30,-10,-20', 413, 'crowd_area_too_large'],
    ['bbox=-180,-90,180,90&zoom=6', 413, 'crowd_area_too_large'],
  ])('is refused for %s', async (query, status, code) => {
    for (const suffix of ['csv', 'tif']) {
      const response = await service.get(`/api/v1/crowd-depths.${suffix}?${query}`);
      expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    }
  });
});

describe('a style document with showCrowdDepth', () => {
  const styleOf = async (to: Service, query: string) => {
    const response = await to.get(`/api/v1/styles/base.json?${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as {
      sources: Record<string, { tiles: string[]; attribution: string }>;
      layers: { id: string }[];
    };
  };

  test('has a source whose tiles have the build and the token, and its layers', async () => {
    const token = await service.token();
    const response = await fetch(
      `${service.address}/api/v1/styles/base.json?showCrowdDepth=depths&token=${token}`,
    );
    const { sources, layers } = (await response.json()) as Awaited<ReturnType<typeof styleOf>>;
    const { tiles, attribution } = sources['crowdDepth']!;
    expect(tiles[0]).toContain(`/api/v2/tiles/crowd-depth-v1/{z}/{x}/{y}.mvt?v=${buildId}&token=`);
    expect(attribution).toMatch(/^Crowd data, not for navigation.*Tide stations of the tests$/);
    expect(layers.filter(({ id }) => id.startsWith('crowd_'))).toHaveLength(4);
    const [z, x, y] = [TILE.z, TILE.x, TILE.y];
    const tile = tiles[0]!.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
    expect((await fetch(tile)).status).toBe(200);
  });

  test('has no source and no layers without the parameter, or without published depths', async () => {
    for (const [to, query] of [
      [service, ''],
      [service, 'showCrowdDepth=false'],
      [empty, 'showCrowdDepth=depths'],
    ] as const) {
      const { sources, layers } = await styleOf(to, query);
      expect(sources).not.toHaveProperty('crowdDepth');
      expect(layers.filter(({ id }) => id.startsWith('crowd_'))).toEqual([]);
    }
    const response = await service.get('/api/v1/styles/base.json?showCrowdDepth=true');
    expect(response.status).toBe(400);
  });
});

describe('a damaged manifest of crowdsourced depths', () => {
  test('makes only its own endpoints fail, and readiness reports it', async () => {
    const damaged = await startService({
      charts: inject('demoCharts'),
      assetsDir: inject('assets'),
    });
    try {
      const bucket = await damaged.runtime.getR2Bucket('TILES');
      await bucket.put('crowd/current.json', '{"buildId":');
      const stateOf = async () => (await damaged.get('/readyz')).json();
      expect(await stateOf()).toMatchObject({ status: 'ready', crowd: 'down' });
      expect((await damaged.get(tilePath(TILE))).status).toBe(503);
      const attributions = await damaged.get('/api/v1/datasets/attributions');
      expect(attributions.status).toBe(200);
      expect(((await attributions.json()) as unknown[]).length).toBeGreaterThan(0);
      const style = await damaged.get('/api/v1/styles/base.json?showCrowdDepth=depths');
      expect(style.status).toBe(200);
      const { sources } = (await style.json()) as { sources: object };
      expect(Object.keys(sources)).not.toContain('crowdDepth');
      await bucket.delete('crowd/current.json');
      await publishCrowd(damaged, [BIN]);
      expect((await damaged.get(tilePath(TILE))).status).toBe(200);
      expect(await stateOf()).toMatchObject({ crowd: 'up' });
    } finally {
      await damaged.stop();
    }
  });
});

describe('a region with crowdsourced depths', () => {
  const BOX = [-20.06, -30.06, -19.94, -29.94] as const;

  /** Downloads a region with the client and opens it. */
  async function regionOf(wanted: { readonly maxZoom: number; readonly crowd?: boolean }) {
    const { regions } = createClient({ address: service.address, token: await service.token() });
    const plan = await regions.plan({ bbox: BOX, ...wanted });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const { bytes } of regions.download(plan)) parts.push(bytes.slice());
    const file = new Blob(parts);
    expect(file.size).toBe(plan.bytes);
    return { region: await openRegion(file), bytes: new Uint8Array(await file.arrayBuffer()) };
  }

  test('contains the tiles of the service, and styles that show them', async () => {
    const { region } = await regionOf({ maxZoom: 15, crowd: true });
    expect(region.note.crowd).toMatchObject({ build: buildId, storedZoom: 15 });
    expect(region.note.notices.join(' ')).toContain('Not a part of the official chart');
    const stored = await region.crowdTile(TILE);
    const served = await service.get(tilePath(TILE));
    expect(stored).toEqual(new Uint8Array(await served.arrayBuffer()));
    const style = await region.style('day');
    const { tiles, minzoom, maxzoom } = style.sources['crowdDepth'] as {
      tiles: string[];
      minzoom: number;
      maxzoom: number;
    };
    expect({ minzoom, maxzoom }).toEqual({ minzoom: 6, maxzoom: 15 });
    const url = tiles[0]!
      .replace('{z}', `${TILE.z}`)
      .replace('{x}', `${TILE.x}`)
      .replace('{y}', `${TILE.y}`);
    expect((await region.protocol({ url })).data).toEqual(stored);
    expect(style.layers.filter(({ id }) => id.startsWith('crowd_depth')).length).toBeGreaterThan(2);
  });

  test('has them at the zooms of the region only', async () => {
    const { region } = await regionOf({ maxZoom: 9, crowd: true });
    expect(region.note.crowd?.storedZoom).toBe(9);
    const style = await region.style('day');
    expect(style.sources['crowdDepth']).toMatchObject({ maxzoom: 9 });
    expect(await region.crowdTile({ z: 9, x: TILE.x >> 6, y: TILE.y >> 6 })).toBeDefined();
    expect(await region.crowdTile(TILE)).toBeUndefined();
    const { region: coarse } = await regionOf({ maxZoom: 5, crowd: true });
    expect(coarse.note.crowd).toBeNull();
    expect((await coarse.style('day')).sources).not.toHaveProperty('crowdDepth');
  });

  test('does not contain them unless they are wanted', async () => {
    const [plain, without] = await Promise.all([
      regionOf({ maxZoom: 12 }),
      regionOf({ maxZoom: 12, crowd: false }),
    ]);
    expect(plain.region.note).not.toHaveProperty('crowd');
    expect((await plain.region.style('day')).sources).not.toHaveProperty('crowdDepth');
    expect(await plain.region.crowdTile(TILE)).toBeUndefined();
    expect(Buffer.compare(without.bytes, plain.bytes)).toBe(0);
  });

  test('is refused with `from`, and where there are no crowdsourced depths', async () => {
    const query = `bbox=${BOX.join(',')}&maxZoom=9&crowd=true`;
    const { region } = await regionOf({ maxZoom: 9, crowd: true });
    const refused = await service.get(`/api/v1/regions?${query}&from=${region.note.id}`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'bad_region',
      errors: [{ path: 'from', message: 'is not permitted with crowd=true' }],
    });
    const odd = await service.get(`/api/v1/regions/plan?bbox=${BOX.join(',')}&maxZoom=9&crowd=yes`);
    expect(odd.status).toBe(400);
    const missing = await empty.get(`/api/v1/regions/plan?${query}`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ code: 'no_crowd_data' });
  });
});
