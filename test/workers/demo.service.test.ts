// The tile endpoints and the attributions, row by row of the contract and of the decisions on it,
// through the real runtime. Each response is checked against the OpenAPI document.

import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { Validator } from '@seriousme/openapi-schema-validator';
import { PbfReader } from 'pbf';
import { describe, expect, inject } from 'vitest';
import { PartIndex } from '../../shared/chart/part-index.ts';
import { partKey } from '../../shared/chart/part-line.ts';
import { demoTest as test } from '../support/fixtures.ts';
import { manifestOf } from '../support/manifest-of.ts';
import type { OpenApiDocument, ResponseCheck } from '../support/openapi.ts';
import type { Service } from '../support/service.ts';
import { archiveOf } from '../support/whole-archive.ts';

let service: Service;
let check: ResponseCheck;
let openApi: OpenApiDocument;

test.beforeAll(({ service: sharedService, check: sharedCheck, openApi: sharedOpenApi }) => {
  service = sharedService;
  check = sharedCheck;
  openApi = sharedOpenApi;
});

/** Demo tiles: the port of Wick, open water west of Africa without a chart, and land. */
const PORT = '14/7282/9623';
const PORT_AT_10 = '10/455/601';
const PORT_AT_17 = '17/58260/76989';
const BARE_OCEAN = '10/300/600';

const ENC = (tile: string) => `/api/v2/tiles/enc-v2/${tile}.mvt`;
const GEOJSON = (tile: string) => `/api/v2/tiles/data-geojson-v1/${tile}.json`;
const SHORE = (tile: string) => `/api/v2/tiles/data-shoreline-v1/${tile}.json`;

/** The name of the row, the path, and the expected status and error code. */
type Row = readonly [line: string, path: string, status: number, code?: string];

const ROWS: readonly Row[] = [
  // Vector tile
  ['Vector tile 200', ENC(PORT), 200],
  ['Vector tile at zoom 0, the least', ENC('0/0/0'), 200],
  ['Vector tile at zoom 16, the most', ENC('16/29130/38494'), 200],
  ['Vector tile without layers outside charted areas', ENC('16/10000/30000'), 200],
  ['Vector tile 400: z above 16', ENC('17/0/0'), 400, 'bad_tile'],
  ['Vector tile 400: x out of range', ENC('3/8/0'), 400, 'bad_tile'],
  ['Vector tile 400: y out of range', ENC('3/0/8'), 400, 'bad_tile'],
  // GeoJSON tile
  ['GeoJSON tile 200', GEOJSON(PORT), 200],
  ['GeoJSON tile at the minimum zoom', GEOJSON(PORT_AT_10), 200],
  ['GeoJSON tile above the archive is cut from its ancestor', GEOJSON(PORT_AT_17), 200],
  ['GeoJSON tile 400: z below the minimum', GEOJSON('9/227/300'), 400, 'bad_tile'],
  ['GeoJSON tile 400: x out of range', GEOJSON('10/1024/0'), 400, 'bad_tile'],
  ['GeoJSON tile 400: z above 22', GEOJSON('23/0/0'), 400, 'bad_tile'],
  ['GeoJSON tile 404: no chart data', GEOJSON(BARE_OCEAN), 404, 'no_chart_data'],
  // Shoreline tile
  ['Shoreline tile 200', SHORE(PORT), 200],
  ['Shoreline tile all water', SHORE(BARE_OCEAN), 200],
  ['Shoreline tile at zoom 0', SHORE('0/0/0'), 200],
  ['Shoreline tile 400: y out of range', SHORE('1/0/2'), 400, 'bad_tile'],
  ['Shoreline tile 400: z above 22', SHORE('23/0/0'), 400, 'bad_tile'],
  // Addresses
  ['No alias: trailing slash', `${ENC(PORT)}/`, 404, 'not_found'],
  ['No alias: double slash', `/api/v2/tiles//enc-v2/${PORT}.mvt`, 404, 'not_found'],
  ['No alias: capitals', `/api/v2/tiles/enc-v2/${PORT}.MVT`, 404, 'not_found'],
  ['No alias: no ending', `/api/v2/tiles/enc-v2/${PORT}`, 404, 'not_found'],
  ['No alias: another ending', `/api/v2/tiles/enc-v2/${PORT}.json`, 404, 'not_found'],
  ['No alias: another version', `/api/v1/tiles/enc-v2/${PORT}.mvt`, 404, 'not_found'],
  ['No such tileset', `/api/v2/tiles/enc-v3/${PORT}.mvt`, 404, 'not_found'],
  ['A digit written as an escape is a digit', ENC('%31%34/7282/9623'), 200],
];

/** Not whole numbers in decimal digits: refused as z, x and y. */
const NOT_WHOLE = [
  '-1',
  '+1',
  '01',
  '1.0',
  '1e1',
  '0x1',
  '1_0',
  ' 1',
  '1 ',
  '%201',
  '١',
  '１',
  'NaN',
  'null',
  '%00',
  '1%00',
  "1'",
  '1;',
  '..',
  '%2e%2e',
  '{z}',
  '9007199254740993',
  '99999999999',
  '--',
  '%',
];

describe('every row of the contract', () => {
  for (const [line, path, status, code] of ROWS) {
    test(line, async () => {
      const response = await service.get(path);
      expect(response.status).toBe(status);
      if (code !== undefined) expect(await response.clone().json()).toMatchObject({ code, status });
      expect(await check('GET', path, response)).toEqual([]);
    });
  }

  for (const text of NOT_WHOLE) {
    test(`refuses "${text}" as a number`, async () => {
      for (const make of [ENC, GEOJSON, SHORE]) {
        for (const tile of [`${text}/0/0`, `14/${text}/0`, `14/0/${text}`]) {
          const response = await service.get(make(tile));
          // The URL parser changes this path, so it is a different URL.
          expect([400, 404], make(tile)).toContain(response.status);
        }
      }
    });
  }
});

test('the vector tile is a protobuf with layers, and compressed only for clients that accept it', async () => {
  const packed = await service.get(ENC(PORT), { headers: { 'accept-encoding': 'gzip' } });
  const plain = await service.get(ENC(PORT), { headers: { 'accept-encoding': 'identity' } });
  expect(packed.headers.get('content-type')).toBe('application/x-protobuf');
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
  const [a, b] = await Promise.all([packed.arrayBuffer(), plain.arrayBuffer()]);
  expect(Buffer.from(a).equals(Buffer.from(b))).toBe(true);
  const tile = new VectorTile(new PbfReader(new Uint8Array(b)));
  expect(Object.keys(tile.layers)).toEqual(expect.arrayContaining(['LNDARE', 'DRGARE', 'LIGHTS']));
});

test('the vector tile is empty outside charted areas', async () => {
  const response = await service.get(ENC('16/10000/30000'));
  expect((await response.arrayBuffer()).byteLength).toBe(0);
  expect(response.headers.get('content-type')).toBe('application/x-protobuf');
});

test('the vector tile is the same from memory, from the edge cache and from the bucket', async () => {
  const bodies = await Promise.all(
    Array.from({ length: 3 }, async () => (await service.get(ENC('13/3641/4811'))).arrayBuffer()),
  );
  expect(new Set(bodies.map((body) => Buffer.from(body).toString('hex'))).size).toBe(1);
});

test('the GeoJSON tile holds features with S-57 acronyms and typed values', async () => {
  const body = (await (await service.get(GEOJSON('13/3641/4811'))).json()) as {
    features: { properties: { layerId: string; attributes: Record<string, unknown> } }[];
  };
  const beacon = body.features.find(
    ({ properties }) => properties.attributes['OBJNAM'] === 'Wick East Beacon',
  );
  expect(beacon?.properties).toMatchObject({
    layerId: 'BCNLAT',
    attributes: { BCNSHP: 1, CATLAM: 2, COLOUR: [4] },
  });
});

test('the GeoJSON tile has each feature once', async () => {
  const body = (await (await service.get(GEOJSON('13/3641/4811'))).json()) as {
    features: { id: string }[];
  };
  const ids = body.features.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the shoreline tile has one feature with land and no properties', async () => {
  const body = await (await service.get(SHORE(PORT))).json();
  expect(body).toMatchObject({ type: 'FeatureCollection', features: [{ properties: {} }] });
});

test('the shoreline tile has no feature if it is all water', async () => {
  const body = await (await service.get(SHORE(BARE_OCEAN))).json();
  expect(body).toEqual({ type: 'FeatureCollection', features: [] });
});

test('the attributions need no token, and name the source and date of the data', async () => {
  const response = await fetch(`${service.address}/api/v1/datasets/attributions`);
  expect(response.status).toBe(200);
  expect(await check('GET', '/api/v1/datasets/attributions', response)).toEqual([]);
  const list = (await response.json()) as Record<string, unknown>[];
  expect(list.length).toBeGreaterThanOrEqual(2);
  for (const one of list) {
    expect(one).toMatchObject({
      id: expect.any(String),
      shortDescription: expect.any(String),
      longDescription: expect.any(String),
      dataSourcedAt: expect.any(Number),
      dataProcessedAt: expect.any(Number),
    });
    // Absent if there is no value, never null.
    expect(one['sourceUrl']).not.toBeNull();
  }
});

test('the attributions ignore an invalid token', async () => {
  const path = '/api/v1/datasets/attributions?token=nonsense';
  expect((await fetch(service.address + path)).status).toBe(200);
});

describe('every response', () => {
  test.each([
    ['a tile', ENC(PORT)],
    ['a refused tile', ENC('17/0/0')],
    ['nothing', '/nowhere'],
    ['a tile without a token', `${ENC(PORT)}?token=wrong`],
  ])('from %s has an id and may be read by pages of any origin', async (_name, path) => {
    const response = await service.get(path);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toMatch(/ETag.*Retry-After/);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('server-timing')).toMatch(/^total;dur=\d+/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  test('of the portal API cannot be embedded by pages of other origins', async () => {
    const { headers } = await service.get('/api/portal/v1/user');
    expect(headers.get('cross-origin-resource-policy')).toBe(null);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('has a strong ETag that saves the body', async () => {
    const first = await service.get(ENC(PORT));
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[0-9a-f]+-enc-v2-14-7282-9623"$/);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await service.get(ENC(PORT), { headers: { 'if-none-match': header } });
      expect(again.status, header).toBe(304);
      expect((await again.arrayBuffer()).byteLength).toBe(0);
      expect(again.headers.get('etag')).toBe(etag);
    }
    const other = await service.get(ENC(PORT), { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  test('to HEAD has the same headers as to GET, without the body', async () => {
    const head = await service.get(ENC(PORT), { method: 'HEAD' });
    const get = await service.get(ENC(PORT));
    expect(head.status).toBe(200);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
    for (const name of ['etag', 'content-type', 'cache-control', 'vary']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  test('to OPTIONS needs no token', async () => {
    const response = await fetch(service.address + ENC(PORT), { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toMatch(/Authorization/);
    expect(response.headers.get('access-control-max-age')).toBe('86400');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
    'to %s is 405 with the allowed methods',
    async (method) => {
      const response = await service.get(ENC(PORT), { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
    },
  );

  test('that refuses a request is an uncached problem document with an error text', async () => {
    const response = await service.get(ENC('17/0/0'));
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(
      ['code', 'detail', 'error', 'requestId', 'status', 'title', 'type'].sort(),
    );
  });
});

describe('the endpoints outside the contract', () => {
  test.each(['enc-v2', 'data-geojson-v1', 'data-shoreline-v1'])(
    'include a TileJSON for %s',
    async (name) => {
      const path = `/api/v2/tiles/${name}.json`;
      const response = await service.get(path);
      expect(response.status).toBe(200);
      expect(await check('GET', path, response)).toEqual([]);
      const body = (await response.json()) as {
        tiles: string[];
        tilejson: string;
        version: string;
        minzoom: number;
        maxzoom: number;
        center: [number, number, number];
        chart_bounds: [number, number, number, number];
      };
      expect(body.tilejson).toBe('3.0.0');
      // As in style documents, so that no client mixes the tiles of two builds.
      const build = new URL(body.tiles[0]!).searchParams.get('v');
      expect(body.version).toBe(`1.0.0+${build}`);
      expect(build).toMatch(/^[0-9a-z]+$/);
      expect(body.center[2]).toBeGreaterThanOrEqual(body.minzoom);
      expect(body.center[2]).toBeLessThanOrEqual(body.maxzoom);
      // The port of Wick, at 1:12,000, the largest scale.
      expect(Math.hypot(body.center[0] + 20, body.center[1] + 30)).toBeLessThan(0.3);
      expect(body.chart_bounds).toEqual([-30, -38, -10, -22]);
      const tile = body.tiles[0]!.replace('{z}', '14')
        .replace('{x}', '7282')
        .replace('{y}', '9623');
      expect((await service.get(tile.replace(service.address, ''))).status).toBe(200);
    },
  );

  test('answer health and readiness without a token', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(service.address + path);
      expect(response.status).toBe(200);
      expect(await check('GET', path, response)).toEqual([]);
    }
  });

  test('include a valid OpenAPI document', async () => {
    const result = await new Validator().validate({ ...structuredClone(openApi) });
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(openApi.openapi).toBe('3.1.0');
  });

  test('include a docs page that shows the OpenAPI document', async () => {
    const page = await (await fetch(`${service.address}/docs`)).text();
    expect(page).toContain('spec-url="/openapi.json"');
    expect(page).toContain('not for navigation');
  });

  test('the archives in the bucket can be read by any PMTiles reader', async () => {
    // The client gets the same tile that the reader finds in the archive.
    const { PMTiles } = await import('pmtiles');
    const { fileSource } = await import('../support/pmtiles-file.ts');
    const charts = inject('demoCharts');
    const index = PartIndex.of(archiveOf(manifestOf(charts), 'enc-v2'));
    const { sha256 } = index.parts[index.partOf({ z: 14, x: 7282, y: 9623 })!]!;
    const archive = new PMTiles(fileSource(join(charts, partKey(sha256))));
    const stored = await archive.getZxy(14, 7282, 9623);
    const served = await (await service.get(ENC(PORT))).arrayBuffer();
    const data = Buffer.from(stored!.data);
    const plain = data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data) : data;
    expect(plain.equals(Buffer.from(served))).toBe(true);
  });
});
