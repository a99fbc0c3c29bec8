// Tile URLs on the wire: valid and invalid z, x and y, and the status tables of the contract. The tests
// use the real runtime on a small build. Each response is checked against the OpenAPI document.

import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { decodeTile } from '../../shared/mvt/decode.ts';
import { makeChartBuild, PLACES } from '../support/chart-fixture.ts';
import {
  type Answer,
  closeConnections,
  jsonOf,
  sendHttp,
  textOf,
  type Wanted,
} from '../support/http-client.ts';
import { type AnswerCheck, answerCheck } from '../support/openapi.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Service, startService } from '../support/service.ts';

const charts = scratchFolder();
let manifest: Manifest;
let service: Service;
let check: AnswerCheck;
let token: string;

beforeAll(async () => {
  manifest = await makeChartBuild(charts);
  service = await startService({ charts });
  check = answerCheck(jsonOf(await sendHttp(service.port, '/openapi.json')));
  token = await service.token();
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

/** @throws Error if the OpenAPI document does not allow the response */
async function send(address: string, wanted: Wanted = {}): Promise<Answer> {
  const answer = await sendHttp(service.port, address, wanted);
  const wrong = check(wanted.method ?? 'GET', address, answer);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return answer;
}

const ENC = '/api/v2/tiles/enc-v2';
const GEOJSON = '/api/v2/tiles/data-geojson-v1';
const SHORELINE = '/api/v2/tiles/data-shoreline-v1';
const ATTRIBUTIONS = '/api/v1/datasets/attributions';

const path = ({ z, x, y }: { z: number; x: number; y: number }) => `/${z}/${x}/${y}`;
const get = (address: string, headers: Record<string, string> = {}) =>
  send(address, { headers: { authorization: `Bearer ${token}`, ...headers } });
const layersOf = (answer: Answer) => decodeTile(answer.body).map(({ name }) => name);

describe('the status tables', () => {
  const rows: readonly [line: string, address: string, status: number, code?: string][] = [
    ['Vector tile: 200', `${ENC}${path(PLACES.charted)}.mvt`, 200],
    ['Vector tile: z 0..16 inclusive, lowest', `${ENC}/0/0/0.mvt`, 200],
    ['Vector tile: z 0..16 inclusive, highest', `${ENC}/16/65535/65535.mvt`, 200],
    ['Vector tile 400: z > 16', `${ENC}/17/0/0.mvt`, 400, 'bad_tile'],
    ['Vector tile 400: x out of range', `${ENC}/3/8/0.mvt`, 400, 'bad_tile'],
    ['Vector tile 400: y out of range', `${ENC}/3/0/8.mvt`, 400, 'bad_tile'],
    ['Vector tile 400: only tile of zoom 0', `${ENC}/0/1/0.mvt`, 400, 'bad_tile'],
    ['Vector tile: no layers outside charted areas', `${ENC}${path(PLACES.openSea)}.mvt`, 200],
    ['GeoJSON tile: 200', `${GEOJSON}${path(PLACES.charted)}.json`, 200],
    ['GeoJSON tile: minimum z 10', `${GEOJSON}/10/512/511.json`, 200],
    ['GeoJSON tile 400: z below minimum', `${GEOJSON}/9/256/255.json`, 400, 'bad_tile'],
    ['GeoJSON tile 400: z below minimum, far below', `${GEOJSON}/0/0/0.json`, 400, 'bad_tile'],
    ['GeoJSON tile 400: x out of range (decision)', `${GEOJSON}/10/1024/0.json`, 400, 'bad_tile'],
    ['GeoJSON tile 400: y out of range (decision)', `${GEOJSON}/10/0/1024.json`, 400, 'bad_tile'],
    ['GeoJSON tile 404: no data', `${GEOJSON}${path(PLACES.openSea)}.json`, 404, 'no_chart_data'],
    ['GeoJSON tile: overzoom to 22 (decision)', `${GEOJSON}/22/2097152/2097151.json`, 200],
    ['GeoJSON tile 400: beyond 22 (decision)', `${GEOJSON}/23/0/0.json`, 400, 'bad_tile'],
    ['Shoreline tile: 200', `${SHORELINE}${path(PLACES.charted)}.json`, 200],
    ['Shoreline tile: z 0', `${SHORELINE}/0/0/0.json`, 200],
    ['Shoreline tile: overzoom to 22 (decision)', `${SHORELINE}/22/2097152/2097151.json`, 200],
    ['Shoreline tile: all water is 200', `${SHORELINE}${path(PLACES.openSea)}.json`, 200],
    ['Shoreline tile 400: z beyond 22', `${SHORELINE}/23/0/0.json`, 400, 'bad_tile'],
    ['Shoreline tile 400: x out of range', `${SHORELINE}/1/2/0.json`, 400, 'bad_tile'],
    ['Shoreline tile 400: y out of range', `${SHORELINE}/1/0/2.json`, 400, 'bad_tile'],
    ['Attributions: 200', ATTRIBUTIONS, 200],
  ];
  it.each(rows)('%s', async (_line, address, status, code) => {
    const answer = await get(address);
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(jsonOf(answer)).toMatchObject({ status, code });
  });

  it.each([
    ['Vector tile 401', `${ENC}/0/0/0.mvt`],
    ['GeoJSON tile 401', `${GEOJSON}/12/0/0.json`],
    ['Shoreline tile 401', `${SHORELINE}/0/0/0.json`],
    ['TileJSON 401', `${ENC}.json`],
  ])('%s: token missing, or invalid', async (_line, address) => {
    const missing = await send(address);
    expect([missing.status, jsonOf(missing).code]).toEqual([401, 'token_required']);
    expect(missing.headers['www-authenticate']).toMatch(/^Bearer/);
    const invalid = await send(address, { headers: { authorization: 'Bearer a.b.c' } });
    expect([invalid.status, jsonOf(invalid).code]).toEqual([401, 'token_invalid']);
  });

  it('answers 401 before it checks the tile (decision: check order)', async () => {
    expect((await send(`${ENC}/99/x/y.mvt`)).status).toBe(401);
  });
});

describe('syntax of z, x and y (decision: decimal digits only)', () => {
  const words = [
    ...['-1', '-0', '1e1', '1e0', '01', '00', '+1', '%2B1', '4.0', '1.', '.5', '0x1', '1_0'],
    ...['%D9%A1', '%EF%BC%91', '%C2%B9', 'NaN', 'Infinity', 'null', 'undefined', '%201', '1%20'],
    ...['9007199254740992', '9007199254740993', '18446744073709551616', '9'.repeat(400)],
    ...['%00', '1%00', '1%0A', '%0d%0a', '..%2f', '%2e%2e%2f', '1%2F2', '1;2', '1,2', '{z}', '*'],
    ...['%', '%E0%A4%A', '%ff', '~', "'", '%22', '<script>', '$(id)', '1%3F', '1%23'],
  ];
  const addresses = words.flatMap((word) => [
    `${ENC}/${word}/1/1.mvt`,
    `${ENC}/12/${word}/1.mvt`,
    `${ENC}/12/1/${word}.mvt`,
    `${GEOJSON}/${word}/1/1.json`,
    `${GEOJSON}/12/${word}/1.json`,
    `${SHORELINE}/12/1/${word}.json`,
  ]);
  it.each(addresses)('refuses %s with 400', async (address) => {
    const answer = await get(address);
    expect([answer.status, jsonOf(answer).code]).toEqual([400, 'bad_tile']);
  });

  it('does not repeat the request in the response', async () => {
    expect(textOf(await get(`${ENC}/12/leadline-canary/1.mvt`))).not.toContain('canary');
  });

  it('accepts %32 for 2 because it is the same URL', async () => {
    const plain = await get(`${ENC}/12/2048/2047.mvt`);
    const encoded = await get(`${ENC}/1%32/%32048/2047.mvt`);
    expect([encoded.status, encoded.headers.etag]).toEqual([200, plain.headers.etag]);
  });

  it.each([
    ['no extension', `${ENC}/0/0/0`],
    ['another extension', `${ENC}/0/0/0.pbf`],
    ['the extension of a sibling', `${ENC}/0/0/0.json`],
    ['upper case', `${ENC}/0/0/0.MVT`],
    ['upper case in the path', '/API/v2/tiles/enc-v2/0/0/0.mvt'],
    ['two extensions', `${ENC}/0/0/0.mvt.gz`],
    ['a trailing slash', `${ENC}/0/0/0.mvt/`],
    ['a double slash inside', `${ENC}//0/0/0.mvt`],
    ['a double slash before', `/${ENC}/0/0/0.mvt`],
    ['a backslash', `${ENC}\\0/0/0.mvt`],
    ['too few parts', `${ENC}/0/0.mvt`],
    ['too many parts', `${ENC}/0/0/0/0.mvt`],
    ['an unknown tileset', '/api/v2/tiles/enc-v3/0/0/0.mvt'],
    ['an unknown version', '/api/v3/tiles/enc-v2/0/0/0.mvt'],
    ['an object of the prototype', '/api/v2/tiles/__proto__/0/0/0.mvt'],
    ['an encoded slash between parts', `${ENC}/0%2F0/0.mvt`],
    ['only the folder', ENC],
  ])('answers 404 for %s', async (_name, address) => {
    expect((await get(address)).status).toBe(404);
  });

  it.each([
    ['a parameter it does not know', '?junk=1'],
    ['another z in the query', '?z=5&x=1&y=1'],
    ['an empty query', '?'],
    ['a broken query', '?%&=&%E0'],
  ])('ignores %s', async (_name, query) => {
    const plain = await get(`${ENC}/12/2048/2047.mvt`);
    const answer = await get(`${ENC}/12/2048/2047.mvt${query}`);
    expect([answer.status, answer.headers.etag]).toEqual([200, plain.headers.etag]);
  });
});

it('sends a vector tile unchanged, as application/x-protobuf', async () => {
  const answer = await get(`${ENC}${path(PLACES.charted)}.mvt`);
  expect(answer.headers['content-type']).toBe('application/x-protobuf');
  expect(layersOf(answer)).toEqual(['depare']);
});

it('makes a tile that is not stored from its deepest stored ancestor', async () => {
  expect(layersOf(await get(`${ENC}${path(PLACES.overzoomed)}.mvt`))).toEqual(['depare']);
  expect(layersOf(await get(`${ENC}/11/1024/1023.mvt`))).toEqual(['land']);
});

it('sends an empty vector tile outside charted areas', async () => {
  const answer = await get(`${ENC}${path(PLACES.openSea)}.mvt`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/x-protobuf');
  expect(answer.body.length).toBe(0);
  expect(answer.headers.etag).toBeDefined();
});

it('sends raw features with acronyms as names and typed values', async () => {
  const { features } = jsonOf(await get(`${GEOJSON}${path(PLACES.charted)}.json`));
  expect(features.map((one: { properties: unknown }) => one.properties)).toEqual([
    { layerId: 'DEPARE', attributes: { DRVAL1: 5, DRVAL2: 10 } },
    { layerId: 'BOYLAT', attributes: { OBJNAM: 'Buoy 12/2048/2047', COLOUR: ['3', '4'] } },
  ]);
});

it('cuts raw features to the requested tile, and answers 404 for a tile without features', async () => {
  const child = jsonOf(await get(`${GEOJSON}${path(PLACES.overzoomed)}.json`));
  expect(
    child.features.map((one: { properties: { layerId: string } }) => one.properties.layerId),
  ).toEqual(['DEPARE', 'BOYLAT']);
  const sibling = jsonOf(await get(`${GEOJSON}/13/4097/4095.json`));
  expect(sibling.features).toHaveLength(1);
  expect((await get(`${GEOJSON}/22/0/0.json`)).status).toBe(404);
});

it('sends land as at most one polygon feature without properties', async () => {
  const { features } = jsonOf(await get(`${SHORELINE}${path(PLACES.charted)}.json`));
  expect(features).toHaveLength(1);
  expect(features[0]).toMatchObject({ type: 'Feature', properties: {} });
  expect(features[0].geometry.type).toBe('Polygon');
});

it('sends an empty feature collection if the whole tile is water', async () => {
  expect(jsonOf(await get(`${SHORELINE}${path(PLACES.openSea)}.json`))).toEqual({
    type: 'FeatureCollection',
    features: [],
  });
});

it('lists every dataset with exactly the fields of the contract', async () => {
  const answer = await send(ATTRIBUTIONS);
  expect(answer.status).toBe(200);
  expect(jsonOf(answer)).toEqual(manifest.datasets);
  expect(jsonOf(answer)[1]).not.toHaveProperty('sourceUrl');
});

it('lists datasets even if the token is invalid (decision: the token is ignored)', async () => {
  const headers = { authorization: 'Bearer nonsense' };
  expect((await send(ATTRIBUTIONS, { headers })).status).toBe(200);
  expect((await send(`${ATTRIBUTIONS}?token=nonsense`)).status).toBe(200);
});

const TILE = `${ENC}${path(PLACES.charted)}.mvt`;

describe('compression', () => {
  const stored = async () => (await get(TILE)).body;

  it.each(['gzip', 'GZIP', 'x-gzip', 'br, gzip', '*', 'identity;q=0.1, *;q=0.5'])(
    'sends stored gzip unchanged for Accept-Encoding: %s',
    async (accepted) => {
      const answer = await get(TILE, { 'accept-encoding': accepted });
      expect(answer.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(answer.body).equals(await stored())).toBe(true);
      expect(answer.headers['content-length']).toBe(String(answer.body.length));
    },
  );

  it.each([
    '',
    'identity',
    'gzip;q=0.5, identity',
    'br',
    'gzip;q=0',
    'gzip;q=0.000, br',
    '*;q=0',
    'gzip;q=0, *',
    'gzipped',
  ])('decompresses for Accept-Encoding: "%s"', async (accepted) => {
    const answer = await get(TILE, { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(decodeTile(answer.body).map(({ name }) => name)).toEqual(['depare']);
  });

  it('does not compress generated tiles', async () => {
    const answer = await get(`${ENC}${path(PLACES.overzoomed)}.mvt`, { 'accept-encoding': 'gzip' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(layersOf(answer)).toEqual(['depare']);
  });

  it('ignores Range', async () => {
    const answer = await get(TILE, { range: 'bytes=0-3' });
    expect([answer.status, answer.body.length]).toEqual([200, (await stored()).length]);
  });
});

it('answers 304 to the ETag of the build without reading the bucket', async () => {
  const { etag } = (await get(TILE)).headers;
  const answer = await get(TILE, { 'if-none-match': etag! });
  expect(answer.status).toBe(304);
  expect(answer.headers['server-timing']).toContain('0 reads');
  expect(answer.headers['content-type']).toBeUndefined();
  expect(answer.headers['cache-control']).toBe('private, max-age=86400');
});

it('does not answer 304 to `If-None-Match: *` for a tile without data', async () => {
  const answer = await get(`${GEOJSON}${path(PLACES.openSea)}.json`, { 'if-none-match': '*' });
  expect(answer.status).toBe(404);
});

it('sends a different ETag for each tileset and tile', async () => {
  const tags = await Promise.all(
    [TILE, `${ENC}/0/0/0.mvt`, `${GEOJSON}${path(PLACES.charted)}.json`].map(
      async (address) => (await get(address)).headers['etag'],
    ),
  );
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect(tag).toContain(manifest.buildId);
});

it('shares one cached tile between tokens, in the header or in the query, and refuses it without a token', async () => {
  const other = await service.token({ subject: 'another-user' });
  const tile = `${ENC}/15/16384/16383.mvt`;
  const first = await get(tile);
  const second = await send(`${tile}?token=${other}`);
  expect(Buffer.from(second.body).equals(first.body)).toBe(true);
  expect(second.headers['server-timing']).toContain('0 reads');
  expect((await send(tile)).status).toBe(401);
  expect((await send(`${tile}?token=${other}x`)).status).toBe(401);
});

it('logs one line per request, and no token, even if a client puts it into the path', async () => {
  await send(`${TILE}?token=${token}`);
  await send(`${TILE}&token=${token}`);
  await send(`/${token}`);
  await get(TILE);
  const text = service.log.join('\n');
  expect(text).toContain(TILE);
  expect(text).not.toContain(token.slice(0, 40));
  expect(text).not.toContain(token.split('.')[2]);
});
