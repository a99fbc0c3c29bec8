// Archives in parts through the service: each tile comes from the part of its region, and a part that is
// damaged or missing is 503 for its region only, never an empty sea.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { type DirectApp, freshApp, type Spoil } from '../support/direct-app.ts';
import { addressOf, writePartCharts } from '../support/part-charts.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { INDEX_ONLY } from '../support/style-assets.ts';

const LAST = 2 ** 12 - 1;
const WORLD = { z: 0, x: 0, y: 0 };
const HARBOUR = { z: 12, x: 2048, y: 2047 };
/** In the same region as the harbour. */
const NEIGHBOUR = { z: 12, x: 2049, y: 2047 };
const ELSEWHERE = { z: 12, x: 1000, y: 1500 };
/** Both sides of 180°, at the equator and at the ends of Web Mercator. */
const EDGES = [0, 2047, LAST].flatMap((y) => [0, LAST].map((x) => ({ z: 12, x, y })));
const COARSE = { z: 4, x: 3, y: 3 };
/** In a region without a part, and below no stored tile but that of the world. */
const UNCHARTED = { z: 12, x: 300, y: 3000 };
const STORED = [WORLD, HARBOUR, NEIGHBOUR, ELSEWHERE, COARSE, ...EDGES];

const folder = scratchFolder();
let charts: Awaited<ReturnType<typeof writePartCharts>>;
beforeAll(async () => {
  const anyLength = class extends TransformStream {
    constructor(_length: number) {
      super();
    }
  };
  vi.stubGlobal('FixedLengthStream', anyLength);
  charts = await writePartCharts(folder, STORED);
});
afterAll(() => vi.unstubAllGlobals());

const authorization = (app: DirectApp) => ({ headers: { authorization: `Bearer ${app.token}` } });

const get = (app: DirectApp, tile: TileId) =>
  app.fetch(`/api/v2/tiles/enc-v2/${addressOf(tile)}.mvt`, authorization(app));

async function textOf(app: DirectApp, tile: TileId): Promise<string> {
  const answer = await get(app, tile);
  expect(answer.status, addressOf(tile)).toBe(200);
  return answer.text();
}

async function expectUnavailable(app: DirectApp, tile: TileId): Promise<void> {
  const answer = await get(app, tile);
  expect(answer.status, addressOf(tile)).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ code: 'charts_unavailable' });
}

describe('a tile', () => {
  test('comes from the part of its region, also at 180° and at the poles', async () => {
    const app = await freshApp(folder);
    for (const tile of STORED) expect(await textOf(app, tile)).toBe(addressOf(tile));
    const parts = new Set(STORED.map(charts.partWith));
    // The world and the coarse tile are in the base, both tiles of the harbour in one region.
    expect(parts.size).toBe(STORED.length - 2);
  });

  test('takes two reads for the first of a region and one for the next', async () => {
    const app = await freshApp(folder);
    const readsFor = async (tile: TileId) => {
      const before = app.reads.length;
      await textOf(app, tile);
      return app.reads.slice(before).filter((key) => key !== POINTER_KEY);
    };
    const part = charts.partWith(HARBOUR)!;
    expect(await readsFor(HARBOUR)).toEqual([part, part]);
    expect(await readsFor(NEIGHBOUR)).toEqual([part]);
    expect(await readsFor(HARBOUR)).toEqual([]);
    expect(await readsFor(ELSEWHERE)).toHaveLength(2);
  });

  test('takes one read if the manifest contains the head of its part', async () => {
    const small = scratchFolder();
    await writePartCharts(small, STORED, { hasHeads: true });
    const app = await freshApp(small);
    expect(await textOf(app, HARBOUR)).toBe(addressOf(HARBOUR));
    expect(await textOf(app, ELSEWHERE)).toBe(addressOf(ELSEWHERE));
    expect(app.reads.filter((key) => key !== POINTER_KEY)).toHaveLength(2);
  });

  test('is served from the parts of a split region', async () => {
    const split = scratchFolder();
    const tiles = [...STORED, { z: 5, x: 16, y: 15 }, { z: 6, x: 32, y: 31 }];
    const limits = { wide: 0, narrow: 40 };
    const { partWith } = await writePartCharts(split, tiles, { limits });
    expect(partWith(HARBOUR)).not.toBe(partWith(NEIGHBOUR));
    const app = await freshApp(split);
    for (const tile of tiles) expect(await textOf(app, tile)).toBe(addressOf(tile));
  });
});

describe('a part', () => {
  const FAULTS: readonly [string, Spoil][] = [
    ['is missing', () => undefined],
    ['is cut off', (_, bytes) => bytes.slice(0, -1)],
    ['is of zeros', (_, bytes) => new Uint8Array(bytes.length)],
    ['has a damaged header', (_, bytes) => bytes.map((byte, i) => (i === 101 ? byte ^ 1 : byte))],
    [
      'has a damaged directory',
      (_, bytes) => bytes.map((byte, i) => (i === 140 ? byte ^ 1 : byte)),
    ],
    [
      'cannot be read',
      () => {
        throw new Error('storage is down');
      },
    ],
  ];
  test.each(FAULTS)('that %s is 503 for its region only', async (_, spoil) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const app = await freshApp(folder);
    const sound = app.spoil;
    const part = charts.partWith(HARBOUR);
    app.spoil = (key, bytes) => (key === part ? spoil(key, bytes) : bytes);
    // Also where the region has no tile, and below its tiles.
    const below = { z: 14, x: 4 * HARBOUR.x, y: 4 * HARBOUR.y };
    const beside = { z: 12, x: HARBOUR.x + 9, y: HARBOUR.y };
    for (const tile of [HARBOUR, NEIGHBOUR, below, beside]) await expectUnavailable(app, tile);
    for (const tile of [WORLD, COARSE, ELSEWHERE, ...EDGES]) {
      expect(await textOf(app, tile)).toBe(addressOf(tile));
    }
    app.spoil = sound;
    expect(await textOf(app, HARBOUR)).toBe(addressOf(HARBOUR));
  });

  test('that does not exist means that nothing was built there', async () => {
    const app = await freshApp(folder);
    // Only the base decides about an uncharted place.
    const base = charts.partWith(WORLD);
    expect(charts.partWith(UNCHARTED)).toBe(base);
    app.spoil = (key, bytes) => (key === base ? undefined : bytes);
    await expectUnavailable(app, UNCHARTED);
  });

  test('that is swapped for another one is 503', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const app = await freshApp(folder);
    const [part, other] = [charts.partWith(HARBOUR)!, charts.partWith(ELSEWHERE)!];
    const files = new Map<string, Uint8Array>();
    app.spoil = (key, bytes) => {
      files.set(key, bytes);
      return bytes;
    };
    await textOf(app, ELSEWHERE);
    app.spoil = (key, bytes) => (key === part ? files.get(other) : bytes);
    await expectUnavailable(app, HARBOUR);
  });
});

test('a region across 180° contains the tiles of the parts on both sides', async () => {
  const app = await freshApp(folder, { ASSETS: INDEX_ONLY });
  const plan = async (bbox: string) => {
    const path = `/api/v1/regions/plan?bbox=${bbox}&maxZoom=12`;
    const answer = await app.fetch(path, authorization(app));
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { chart: { tiles: number } }).chart.tiles;
  };
  // The tile of the world, and one at each side.
  expect(await plan('179.99,0.01,-179.99,0.05')).toBe(3);
  expect(await plan('179.95,0.01,179.99,0.05')).toBe(2);
  // Both tiles of the harbour.
  expect(await plan('0.01,0.01,0.15,0.05')).toBe(3);
});
