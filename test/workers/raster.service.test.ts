// Raster tiles and their style in the real runtime: rows of the contract, the content of pictures,
// hostile addresses, the second painter, and storage that fails.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import { type ColorToken, paletteFor } from '../../shared/style/palette.ts';
import { startCanvas } from '../support/canvas.ts';
import { freshApp } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Service, startService } from '../support/service.ts';

const SEED = 20_261_128;
const SIDE = 256;
const RASTER = (tile: string) => `/api/v2/tiles/raster-v1/${tile}.png`;
const PORT = '15/14563/19249';
const BARE_OCEAN = '10/300/600';
const TILES = isLong ? 300 : 30;
const SPOILT = isLong ? 3000 : 270;

let service: Service;
let check: ResponseCheck;
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  check = responseCheck((await (await service.get('/openapi.json')).json()) as never);
});
afterAll(() => service?.stop());

async function pictureOf(path: string, of = service): Promise<PNG> {
  const answer = await of.get(path);
  expect(answer.status, path).toBe(200);
  return PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
}

/** How many pixels have a colour of the day. */
function count(picture: PNG, token: ColorToken): number {
  const color = Number.parseInt(paletteFor('day')[token].slice(1), 16);
  const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255];
  let found = 0;
  for (let i = 0; i < picture.data.length; i += 4) {
    const [r, g, b] = picture.data.subarray(i, i + 3);
    if (r === red && g === green && b === blue) found++;
  }
  return found;
}

/** The most frequent colour of a square. */
function commonColor({ data }: PNG, corner: number, side: number): string {
  const found = new Map<string, number>();
  for (let y = corner; y < corner + side; y++) {
    for (let x = corner; x < corner + side; x++) {
      const color = [...data.subarray(4 * (y * SIDE + x), 4 * (y * SIDE + x) + 3)].join();
      found.set(color, (found.get(color) ?? 0) + 1);
    }
  }
  return [...found].sort(([, a], [, b]) => b - a)[0]![0];
}

describe('rows of the contract', () => {
  test.each([
    ['a tile of the port', PORT, 200, undefined],
    ['zoom 0, the least', '0/0/0', 200, undefined],
    ['zoom 22, the most', '22/1864112/2463900', 200, undefined],
    ['outside charted areas', BARE_OCEAN, 200, undefined],
    ['404: z above 22', '23/0/0', 404, 'tile_out_of_range'],
    ['404: x out of range', '3/8/0', 404, 'tile_out_of_range'],
    ['404: y out of range', '3/0/8', 404, 'tile_out_of_range'],
    ['404: no whole numbers', '1e0/0/0', 404, 'tile_out_of_range'],
    ['404: a leading zero', '01/0/0', 404, 'tile_out_of_range'],
    ['404: a negative number', '3/-1/0', 404, 'tile_out_of_range'],
  ] as const)('%s', async (_, tile, status, code) => {
    const answer = await service.get(RASTER(tile));
    expect(answer.status).toBe(status);
    expect(await check('GET', RASTER(tile), answer)).toEqual([]);
    if (code !== undefined) expect(await answer.json()).toMatchObject({ code });
    else expect(answer.headers.get('content-type')).toBe('image/png');
  });

  test('401 without a token, whether or not the tile exists', async () => {
    for (const tile of [PORT, '23/0/0']) {
      expect((await fetch(service.address + RASTER(tile))).status).toBe(401);
    }
  });

  test('accepts the token in the query, and returns 304 if the client has the tile', async () => {
    const path = `${service.address}${RASTER(PORT)}?token=${await service.token()}`;
    const first = await fetch(path);
    expect(first.status).toBe(200);
    const etag = first.headers.get('etag')!;
    expect((await fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('every zoom over the port is a picture of 256 × 256', async () => {
    for (let z = 0; z <= 22; z++) {
      const across = 2 ** z;
      const tile = `${z}/${Math.floor((160 / 360) * across)}/${Math.floor(0.58743 * across)}`;
      const picture = await pictureOf(RASTER(tile));
      expect([picture.width, picture.height], tile).toEqual([SIDE, SIDE]);
    }
  });
});

describe('the content of pictures', () => {
  test('a place without a chart has the plain colour of no data', async () => {
    expect(count(await pictureOf(RASTER(BARE_OCEAN)), 'BGWTR')).toBe(SIDE * SIDE);
  });

  test('the port has land, shallow and deeper water', async () => {
    const picture = await pictureOf(RASTER('13/3641/4811'));
    for (const token of ['LANDA', 'DEPVS', 'DEPMD'] as const) {
      expect(count(picture, token), token).toBeGreaterThan(100);
    }
  });

  test('at zoom 22 the ground equals that of its zoom-17 tile', async () => {
    const low = await pictureOf(RASTER('17/58254/76996'));
    const [deepX, deepY] = [58254 * 32 + 16, 76996 * 32 + 16];
    const deep = await pictureOf(RASTER(`22/${deepX}/${deepY}`));
    // The deep tile is 8 × 8 pixels in the middle of the other.
    expect(commonColor(deep, 0, SIDE)).toBe(commonColor(low, SIDE / 2, 8));
  });

  test('the same tile is the same bytes, in another isolate too', async () => {
    const ASSETS = assetsFrom(inject('assets'));
    const bytes = [];
    for (let i = 0; i < 2; i++) {
      const app = await freshApp(inject('demoCharts'), { ASSETS });
      const headers = { authorization: `Bearer ${app.token}` };
      bytes.push(await (await app.fetch(RASTER(PORT), { headers })).arrayBuffer());
    }
    const served = await (await service.get(RASTER(PORT))).arrayBuffer();
    // Compression may differ between runtimes; pixels may not.
    const pixels = [...bytes, served].map((one) => PNG.sync.read(Buffer.from(one)).data);
    expect(Buffer.from(bytes[0]!).equals(Buffer.from(bytes[1]!))).toBe(true);
    expect(pixels[0]!.equals(pixels[2]!)).toBe(true);
  });
});

test('clients keep a picture until the date changes, at noon UTC', async () => {
  const noon = Date.UTC(2026, 10, 22, 12);
  vi.useFakeTimers({ now: noon - 30_000, toFake: ['Date'] });
  try {
    const app = await freshApp(inject('demoCharts'), { ASSETS: assetsFrom(inject('assets')) });
    const ask = () =>
      app.fetch(RASTER(PORT), { headers: { authorization: `Bearer ${app.token}` } });
    const before = await ask();
    expect(before.headers.get('cache-control')).toBe('private, max-age=30');
    vi.setSystemTime(noon);
    const after = await ask();
    expect(after.headers.get('cache-control')).toBe('private, max-age=86400');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  } finally {
    vi.useRealTimers();
  }
});

describe('addresses of all kinds', () => {
  test(`${TILES} tiles anywhere are pictures`, async () => {
    const random = seededRandom(SEED);
    for (let i = 0; i < TILES; i++) {
      const z = Math.floor(random() * 23);
      const [x, y] = [Math.floor(random() * 2 ** z), Math.floor(random() * 2 ** z)];
      const answer = await service.get(RASTER(`${z}/${x}/${y}`));
      expect(answer.status, `${z}/${x}/${y}`).toBe(200);
      await answer.arrayBuffer();
    }
  });

  test(`${SPOILT} spoilt addresses are 404, and none is a fault`, async () => {
    const random = seededRandom(SEED + 1);
    const pieces = [
      '0',
      '7',
      '22',
      '99999999999',
      '-1',
      '+1',
      '1e3',
      '%31',
      '٣',
      ' ',
      '',
      'x',
      '..',
    ];
    const piece = () => pieces[Math.floor(random() * pieces.length)]!;
    for (let i = 0; i < SPOILT; i++) {
      const path = `/api/v2/tiles/raster-v1/${piece()}${piece()}/${piece()}/${piece()}.png`;
      const { status } = await service.get(path);
      expect([200, 404], path).toContain(status);
    }
  });
});

describe('the second painter', () => {
  let other: Service;
  beforeAll(async () => {
    other = await startService({
      charts: inject('demoCharts'),
      assetsDir: inject('assets'),
      settings: { RASTER_PAINTER: 'resvg' },
    });
  });
  afterAll(() => other?.stop());

  test('resvg in the runtime paints the same picture, and does not fail over 40 tiles', async () => {
    for (let i = 0; i < 40; i++) {
      const tile = `15/${14560 + (i % 8)}/${19246 + Math.floor(i / 8)}`;
      const [ours, theirs] = [await pictureOf(RASTER(tile)), await pictureOf(RASTER(tile), other)];
      const options = { threshold: 0.15, includeAA: true };
      const differing = pixelmatch(ours.data, theirs.data, undefined, SIDE, SIDE, options);
      expect(differing / SIDE ** 2, tile).toBeLessThan(0.03);
    }
    expect(other.log.filter((line) => line.includes('resvg'))).toEqual([]);
  });
});

describe('storage that fails', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test('archives that are gone: 503 with Retry-After, and right again afterwards', async () => {
    const app = await freshApp(inject('demoCharts'), { ASSETS: assetsFrom(inject('assets')) });
    const headers = { authorization: `Bearer ${app.token}` };
    const sound = app.spoil;
    app.spoil = (key, bytes) => (key === POINTER_KEY ? bytes : undefined);
    const answer = await app.fetch(RASTER(PORT), { headers });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: 'charts_unavailable' });
    app.spoil = sound;
    expect((await app.fetch(RASTER(PORT), { headers })).status).toBe(200);
  });

  test.each([['/sprites/'], ['/fonts/']])(
    'storage that fails: without %s: 503, never a chart without symbols or texts',
    async (part) => {
      const sound = assetsFrom(inject('assets'));
      const fetchAsset = async (input: string | Request) =>
        String(typeof input === 'string' ? input : input.url).includes(part)
          ? new Response(null, { status: 404 })
          : sound.fetch(input);
      const app = await freshApp(inject('demoCharts'), { ASSETS: { fetch: fetchAsset } });
      const answer = await app.fetch(RASTER(PORT), {
        headers: { authorization: `Bearer ${app.token}` },
      });
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ code: 'artwork_unavailable' });
    },
  );

  test('a canvas that fails is replaced by another instance, and the response is 503 if that fails too', async () => {
    let left = 1;
    const starter = vi.fn(async () => () => {
      if (left-- > 0) throw new WebAssembly.RuntimeError('unreachable');
      return startCanvas();
    });
    vi.doMock('../../workers/service/raster/start-canvas.ts', () => ({ canvasStarter: starter }));
    const isolate = async () => {
      vi.resetModules();
      const { createApp } = await import('../../workers/service/app.ts');
      return freshApp(inject('demoCharts'), { ASSETS: assetsFrom(inject('assets')) }, createApp);
    };
    try {
      const app = await isolate();
      const headers = { authorization: `Bearer ${app.token}` };
      expect((await app.fetch(RASTER(PORT), { headers })).status).toBe(200);
      left = 2;
      const fresh = await isolate();
      const asked = { headers: { authorization: `Bearer ${fresh.token}` } };
      const answer = await fresh.fetch(RASTER(PORT), asked);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: 'raster_unavailable' });
      expect((await fresh.fetch(RASTER(PORT), asked)).status).toBe(200);
    } finally {
      vi.doUnmock('../../workers/service/raster/start-canvas.ts');
    }
  });
});

describe('raster.json', () => {
  const PATH = '/api/v1/styles/raster.json';

  test('raster.json is a valid style of one source, whose tiles it can fetch', async () => {
    const token = await service.token();
    const answer = await fetch(`${service.address}${PATH}?token=${token}`);
    expect(await check('GET', PATH, answer)).toEqual([]);
    const style = (await answer.json()) as {
      sources: { chart: { tiles: string[]; tileSize: number; maxzoom: number } };
    };
    expect(validateStyleMin(style as never)).toEqual([]);
    const { tiles, tileSize, maxzoom } = style.sources.chart;
    expect([tileSize, maxzoom]).toEqual([256, 22]);
    const address = tiles[0]!.replace('{z}', '3').replace('{x}', '3').replace('{y}', '4');
    const tile = await fetch(address);
    expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('raster.json needs a token, and is 304 if the client has it', async () => {
    expect((await fetch(service.address + PATH)).status).toBe(401);
    const first = await service.get(PATH);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect((await service.get(PATH, { headers })).status).toBe(304);
  });
});

/** Static assets from a folder. */
function assetsFrom(folder: string) {
  return {
    fetch: async (input: string | Request) => {
      const { pathname } = new URL(typeof input === 'string' ? input : input.url);
      try {
        return new Response(readFileSync(join(folder, decodeURIComponent(pathname))));
      } catch {
        return new Response(null, { status: 404 });
      }
    },
  };
}
