// The style endpoint: each parameter of the contract, errors that name the parameter, the token,
// caching, and the sprites and glyphs of a document.

import { gunzipSync } from 'node:zlib';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tokenFor } from '../support/service.ts';
import { ARTWORK_HASH, ASSETS_INDEX } from '../support/style-assets.ts';

const SEED = 20_261_125;
const ROUNDS = isLong ? 10_000 : 400;
/** Static assets with one sprite and one range of glyphs. */
const ASSETS = {
  fetch: async (input: Request | string) => {
    const path = new URL(typeof input === 'string' ? input : input.url).pathname;
    if (path === '/assets.json') return Response.json(ASSETS_INDEX);
    const known = [
      `/sprites/${ARTWORK_HASH}/day.json`,
      `/fonts/${ARTWORK_HASH}/Noto%20Sans%20Regular/0-255.pbf`,
    ];
    return known.includes(path) ? new Response('x') : new Response(null, { status: 404 });
  },
};

let app: DirectApp;
beforeAll(async () => {
  app = await freshApp(inject('demoCharts'), { ASSETS });
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const PATH = '/api/v1/styles/base.json';
const get = (query = '', headers: Record<string, string> = {}, of = app) =>
  of.fetch(`${PATH}${query}`, {
    headers: { authorization: `Bearer ${of.token}`, ...headers },
  });

interface Style {
  readonly sprite: string;
  readonly glyphs: string;
  readonly sources: Readonly<Record<string, { tiles?: string[]; data?: string }>>;
  readonly layers: readonly { id: string; layout?: Record<string, unknown> }[];
}
const styleOf = async (query = '') => {
  const response = await get(query);
  expect(response.status).toBe(200);
  return (await response.json()) as Style;
};

describe('base.json', () => {
  test('is a valid style with versioned URLs of this service', async () => {
    const style = await styleOf();
    expect(validateStyleMin(style as never).map(String)).toEqual([]);
    const tiles = style.sources['chart']!.tiles![0]!;
    expect(tiles).toMatch(
      /^http:\/\/leadline\.test\/api\/v2\/tiles\/enc-v2\/\{z\}\/\{x\}\/\{y\}\.mvt\?v=\w+$/,
    );
    expect(style.sprite).toBe(`http://leadline.test/sprites/${ARTWORK_HASH}/day`);
    expect(style.glyphs).toBe(`http://leadline.test/fonts/${ARTWORK_HASH}/{fontstack}/{range}.pbf`);
    const tile = tiles.replace('http://leadline.test', '').replace('{z}/{x}/{y}', '14/7282/9623');
    const found = await app.fetch(tile, { headers: { authorization: `Bearer ${app.token}` } });
    expect(found.status).toBe(200);
  });

  test('accepts each parameter as text in the query', async () => {
    const imagery = encodeURIComponent('https://imagery.example/{z}/{x}/{y}.jpg');
    const letters = encodeURIComponent('https://letters.example/{fontstack}/{range}.pbf');
    const style = await styleOf(
      '?theme=dusk&depthLimit=7.5&depthUnits=fathoms&roundOffSoundings=1&showLightSectors=0' +
        '&showEncBoundaries=true&showMaritimeBoundaries=full&showPlaceNames=false' +
        '&showOverscale=false&showNoData=false&showUserReports=true&showSatellite=true' +
        `&maskLandAreas=true&satelliteTileUrl=${imagery}&glyphs=${letters}&font=Own%20Sans` +
        '&hideLayers=SOUNDG-label,%20COALNE-line&showLayers=',
    );
    expect(validateStyleMin(style as never).map(String)).toEqual([]);
    expect(style.sprite).toMatch(/dusk$/);
    expect(style.glyphs).toBe('https://letters.example/{fontstack}/{range}.pbf');
    expect(style.sources['satellite']!.tiles).toEqual(['https://imagery.example/{z}/{x}/{y}.jpg']);
    const layer = (id: string) => style.layers.find((one) => one.id === id)!;
    expect(layer('SOUNDG-label').layout!['visibility']).toBe('none');
    expect(layer('COALNE-line').layout!['visibility']).toBe('none');
    expect(layer('SOUNDG-label').layout!['text-font']).toEqual(['literal', ['Own Sans']]);
  });

  test('treats an empty value as absent', async () => {
    expect(await (await get('?theme=&depthLimit=&font=&styleId=')).text()).toBe(
      await (await get()).text(),
    );
    for (const query of ['?theme=&theme=night', '?theme=night&theme=']) {
      expect(await (await get(query)).text()).toBe(await (await get('?theme=night')).text());
    }
  });

  test.each([
    ['theme', 'noon'],
    ['theme', 'DAY'],
    ['depthLimit', 'deep'],
    ['depthLimit', '1e9'],
    ['depthLimit', 'Infinity'],
    ['depthLimit', '-21'],
    ['depthUnits', 'fathom'],
    ['depthUnits', 'metres'],
    ['roundOffSoundings', 'yes'],
    ['showLightSectors', '2'],
    ['showEncBoundaries', 'TRUE'],
    ['showMaritimeBoundaries', 'true'],
    ['showPlaceNames', 'no'],
    ['showOverscale', 'null'],
    ['showNoData', '-1'],
    ['showUserReports', 'on'],
    ['showSatellite', 't'],
    ['maskLandAreas', '01'],
    ['satelliteTileUrl', 'https://a.example/{z}'],
    ['satelliteTileUrl', 'javascript:alert(1)//{z}{x}{y}'],
    ['satelliteTileUrl', 'https://u:p@a.example/{z}/{x}/{y}'],
    ['glyphs', 'https://a.example/{range}'],
    ['glyphs', 'data:text/plain,{fontstack}{range}'],
    ['font', '<b>'],
    ['font', 'x'.repeat(65)],
    ['symbols', 'Paper'],
    ['boundaries', 'dashed'],
    ['topmarks', 'yes'],
    ['lightText', 'off'],
    ['isolatedDangersInShallow', '2'],
    ['fullNames', 'on'],
    ['shallowDepth', '-1'],
    ['deepDepth', 'deep'],
    ['showDataQuality', 'on'],
    ['hatchNoData', 'yes'],
    ['textGroups', 'names,all'],
    ['textGroups', 'none,names'],
    ['textGroups', ','],
    ['live', 'on'],
  ])('refuses %s=%s and names the parameter', async (name, value) => {
    const response = await get(`?${name}=${encodeURIComponent(value)}`);
    expect(response.status).toBe(400);
    const body = (await response.json()) as { code: string; errors: { path: string }[] };
    expect(body.code).toBe('bad_style_parameter');
    expect(body.errors.map(({ path }) => path)).toEqual([name]);
    // The response does not repeat the value.
    if (value.length > 12) expect(JSON.stringify(body)).not.toContain(value);
  });

  test('refuses a parameter with two different values', async () => {
    expect((await get('?depthLimit=3&depthLimit=30')).status).toBe(400);
    expect((await get('?depthLimit=3&depthLimit=3')).status).toBe(200);
  });

  test('is 404 for an unknown saved style, never the default', async () => {
    for (const query of [
      '?styleId=nope',
      '?styleId=..%2Fx',
      '?styleName=Nobody%27s',
      `?styleName=${'x'.repeat(129)}`,
    ]) {
      const response = await get(query);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'style_not_found' });
    }
  });

  test('ignores unknown parameters', async () => {
    expect((await get('?utm_source=x&zoom=3')).status).toBe(200);
  });
});

test('the reports source of a document answers, with empty tiles if there are no reports', async () => {
  const { sources } = await styleOf('?showUserReports=true');
  const address = sources['userReports']!.tiles![0]!.replace('http://leadline.test', '');
  const database = await freshDatabase();
  try {
    const withReports = await freshApp(inject('demoCharts'), { ASSETS, ...database.bindings });
    const headers = { authorization: `Bearer ${withReports.token}` };
    const tile = address.replace('{z}/{x}/{y}', '9/227/300');
    const answer = await withReports.fetch(tile, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  } finally {
    await database.stop();
  }
});

test('the token is written into the document only if it was in the query', async () => {
  const byQuery = await (await app.fetch(`${PATH}?token=${app.token}&showUserReports=true`)).text();
  const style = JSON.parse(byQuery) as Style;
  expect(style.sources['chart']!.tiles![0]).toContain(`token=${app.token}`);
  expect(style.sources['userReports']!.tiles![0]).toContain(`token=${app.token}`);
  expect(await (await get('?showUserReports=true')).text()).not.toContain(app.token);
});

test('showUserReports adds no reports if the deployment has no lists', async () => {
  const settings = { ASSETS, REPORTS_LISTING: 'off' };
  const unlisted = await freshApp(inject('demoCharts'), settings);
  const style = await (await get('?showUserReports=true', {}, unlisted)).json();
  expect(Object.keys((style as { sources: object }).sources)).toEqual(['chart']);
});

test('the token of one caller is never sent to another', async () => {
  const other = (await freshApp(inject('demoCharts'), { ASSETS })).token;
  await app.fetch(`${PATH}?token=${app.token}`);
  const header = await (await get()).text();
  expect(header).not.toContain(app.token);
  expect(header).not.toContain(other);
});

test('the token determines who may cache the document', async () => {
  const byQuery = await app.fetch(`${PATH}?token=${app.token}`);
  expect(byQuery.headers.get('cache-control')).toBe('private, no-store');
  const saved = await app.fetch(`/api/v1/styles/raster.json?token=${app.token}`);
  expect(saved.headers.get('cache-control')).toBe('private, no-store');
  expect((await get()).headers.get('cache-control')).toMatch(/^private, max-age=\d+/);
});

test('the response varies by origin if the token is restricted to origins, also for tiles', async () => {
  const origin = 'https://app.example';
  const token = await tokenFor(app.keys, { origins: [origin] });
  const tile = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
  for (const path of [PATH, tile, '/api/v2/tiles/enc-v2.json']) {
    const varyOf = async (headers: Record<string, string>, query = '') =>
      ((await app.fetch(path + query, { headers })).headers.get('vary') ?? '').split(/, */);
    expect([path, await varyOf({ origin }, `?token=${token}`)]).toEqual([
      path,
      expect.arrayContaining(['Origin']),
    ]);
    expect(await varyOf({ origin, authorization: `Bearer ${token}` })).toContain('Origin');
    expect(await varyOf({ authorization: `Bearer ${app.token}` })).not.toContain('Origin');
  }
  const unchanged = await app.fetch(tile, {
    headers: { origin, authorization: `Bearer ${token}`, 'if-none-match': '*' },
  });
  expect([unchanged.status, unchanged.headers.get('vary')]).toEqual([
    304,
    'Accept-Encoding, Origin',
  ]);
});

test('a document is compressed only for clients that accept it, with the same content', async () => {
  const packed = await get('', { 'accept-encoding': 'gzip' });
  const plain = await get('', { 'accept-encoding': 'identity' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('vary')).toContain('Accept-Encoding');
  const unpacked = gunzipSync(await packed.arrayBuffer()).toString();
  expect(unpacked).toBe(await plain.text());
});

test.each([
  '/api/v2/tiles/enc-v2.json',
  '/api/v1/names?q=wick',
  '/api/v1/regions/plan?bbox=-20.05,-30.05,-19.95,-29.95&maxZoom=10',
])('%s, which depends on the charts of the account, varies by Authorization', async (path) => {
  const response = await app.fetch(path, { headers: { authorization: `Bearer ${app.token}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get('vary')).toBe('Authorization');
});

test('ETags are strong, and differ by choices and token', async () => {
  const tags = await Promise.all([
    get().then((response) => response.headers.get('etag')!),
    get('?theme=night').then((response) => response.headers.get('etag')!),
    app.fetch(`${PATH}?token=${app.token}`).then((response) => response.headers.get('etag')!),
  ]);
  for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  expect(new Set(tags).size).toBe(3);
  expect((await get('?theme=day')).headers.get('etag')).toBe(tags[0]);
  const again = await get('', { 'if-none-match': tags[0]! });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test('a sprite never changes under its URL', async () => {
  const sprite = await app.fetch(`/sprites/${ARTWORK_HASH}/day.json`);
  expect(sprite.status).toBe(200);
  expect(sprite.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(sprite.headers.get('access-control-allow-origin')).toBe('*');
});

test('a glyph range without glyphs is an empty message, not an error', async () => {
  const range = await app.fetch(`/fonts/${ARTWORK_HASH}/Noto%20Sans%20Regular/65280-65535.pbf`);
  expect(range.status).toBe(200);
  expect((await range.arrayBuffer()).byteLength).toBe(0);
  expect((await app.fetch(`/fonts/${ARTWORK_HASH}/nothing`)).status).toBe(404);
  const fonts = ['Noto%20Sans%20Regular', 'Unknown', 'Noto%20Sans%20Regular,Unknown'];
  const paths = fonts.map((font) => `/fonts/0123456789ab/${font}/0-255.pbf`);
  // Glyphs and sprites of another build.
  for (const path of [...paths, '/sprites/0123456789ab/day.json']) {
    const answer = await app.fetch(path);
    const caching = answer.headers.get('cache-control');
    expect([path, answer.status, caching]).toEqual([path, 404, 'no-store']);
  }
  expect((await app.fetch(`/fonts/${ARTWORK_HASH}/%ff/0-255.pbf`)).status).toBe(404);
});

test('missing sprites and glyphs give 503 for a style, and do not affect tiles', async () => {
  const bare = await freshApp(inject('demoCharts'), {
    ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
  });
  const refused = await get('', {}, bare);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(await refused.json()).toMatchObject({ code: 'artwork_unavailable' });
  const tile = await bare.fetch(`/api/v2/tiles/enc-v2/14/7282/9623.mvt?token=${bare.token}`);
  expect(tile.status).toBe(200);
  // The other tests continue with the isolate of the first application.
  app = await freshApp(inject('demoCharts'), { ASSETS });
});

describe(`any query (seed ${SEED})`, () => {
  const NAMES = [
    'styleId',
    'styleName',
    'theme',
    'depthLimit',
    'depthUnits',
    'roundOffSoundings',
    'showLightSectors',
    'showEncBoundaries',
    'showMaritimeBoundaries',
    'showPlaceNames',
    'showOverscale',
    'showNoData',
    'showUserReports',
    'showSatellite',
    'maskLandAreas',
    'satelliteTileUrl',
    'hideLayers',
    'showLayers',
    'glyphs',
    'font',
    'unknown',
    '__proto__',
  ];
  const VALUES = [
    '',
    'true',
    'false',
    '1',
    '0',
    'day',
    'night',
    'meters',
    'feet',
    '3',
    '-0',
    '99999',
    '1e3',
    'lines',
    'full',
    'SOUNDG-label',
    'a,b,,c',
    'Noto Sans Bold',
    '💥',
    '\u0000',
    '\ud800',
    '~token~',
    'https://foreign.example/{z}/{x}/{y}',
    'https://foreign.example/{fontstack}/{range}.pbf',
    '//foreign.example/{z}{x}{y}',
    'constructor',
    '["get","x"]',
    '{"a":1}',
    '%',
    'x'.repeat(3000),
  ];

  test(`gives a valid style, 400 or 404 in ${ROUNDS} requests, with no foreign host and no other token`, async () => {
    const random = seededRandom(SEED);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const seen = new Map<number, number>();
    const valid = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const query = new URLSearchParams();
      for (let i = 0; i <= random() * 4; i++) query.append(pick(NAMES), pick(VALUES));
      const response = await get(`?${query}`);
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      expect([200, 400, 404], `${query}`).toContain(response.status);
      const text = await response.text();
      expect(text).not.toContain(app.token);
      if (response.status !== 200) continue;
      const asked = [...query.entries()];
      const mayBeForeign = asked.some(([name]) => name === 'satelliteTileUrl' || name === 'glyphs');
      if (!mayBeForeign) expect(text).not.toContain('foreign.example');
      // Checking all would take minutes. The test of the document covers all combinations.
      if (valid.size < 40 && !valid.has(text)) {
        valid.add(text);
        expect(validateStyleMin(JSON.parse(text)).map(String), `${query}`).toEqual([]);
      }
    }
    for (const status of [200, 400, 404])
      expect(seen.get(status) ?? 0).toBeGreaterThan(ROUNDS / 40);
  });
});
