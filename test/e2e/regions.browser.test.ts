// A region without a network: downloaded from the service and opened by MapLibre in Chromium. Each tile
// equals that of the service. On the demo charts, and in a long run on real charts of the Chesapeake.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { GeoBounds } from '../../shared/chart/bounds.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { spansOf } from '../../shared/region/tile-ranges.ts';
import { paletteFor } from '../../shared/style/palette.ts';
import { extractRegion } from '../../tiles-build/extract/extract-region.ts';
import { createClient } from '../../workers/web/client/index.ts';
import { applyDelta, openRegion } from '../../workers/web/client/region.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { hasBusyCells } from '../support/enc-data.ts';
import { isLong } from '../support/long-run.ts';
import { colorShares, landAndWater } from '../support/page-colors.ts';
import { realCharts } from '../support/real-charts.ts';
import { blobOf, earlierCharts, publishBeside } from '../support/region-charts.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { mapLibreFiles, type SecondOrigin, serveFiles } from '../support/second-origin.ts';
import { type Service, startService } from '../support/service.ts';
import { ROOT } from '../support/source-files.ts';

/** Runs in the page. */
const SCRIPT = `
import { addProtocol, Map } from 'maplibre-gl';
import { openRegion } from '@leadline/client/region';
const file = await (await fetch('/region.pmtiles')).blob();
const region = await openRegion(file);
addProtocol('region', region.protocol);
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
globalThis.hashes = (tiles) => Promise.all(tiles.map(async (tile) =>
  hex(await crypto.subtle.digest('SHA-256', (await region.tile(tile)) ?? new Uint8Array(0)))));
let map;
globalThis.show = async (theme, live, center, zoom, limit) => {
  globalThis.faults = [];
  const style = await region.style(theme, { live });
  if (map === undefined) {
    map = new Map({ container: 'map', style, center, zoom, fadeDuration: 0, attributionControl: false, interactive: false });
    map.on('error', ({ error }) => globalThis.faults.push(String(error)));
  } else {
    // One map: MapLibre ends its worker with its last map, and could not fetch it again.
    map.setStyle(style, { diff: false });
    map.jumpTo({ center, zoom });
  }
  await new Promise((done) => map.once('idle', done));
  if (limit !== undefined) {
    map.setGlobalStateProperty('depthLimit', limit);
    await new Promise((done) => { map.once('idle', done); map.triggerRepaint(); });
  }
};
globalThis.ready = true;
`;

interface Seen {
  readonly name: string;
  readonly box: GeoBounds;
  readonly center: readonly [longitude: number, latitude: number];
  readonly charts: () => Promise<string>;
}

const WATERS: readonly Seen[] = [
  {
    name: 'the demo port',
    box: [-20.06, -30.06, -19.94, -29.94],
    center: [-19.99, -29.99],
    charts: async () => inject('demoCharts'),
  },
  ...(isLong && hasBusyCells
    ? [
        {
          name: 'the Chesapeake',
          box: [-76.5, 38.9, -76.35, 39.02],
          center: [-76.42, 38.96],
          charts: realCharts,
        } as const,
      ]
    : []),
];

/** Each tile of the box at a zoom, or an even selection of more than two hundred tiles. */
function tilesOf(box: GeoBounds, z: number): TileId[] {
  const all = spansOf(box, z).flatMap(({ left, right, top, bottom }) =>
    Array.from({ length: right - left + 1 }, (_, i) =>
      Array.from({ length: bottom - top + 1 }, (_, j) => ({ z, x: left + i, y: top + j })),
    ).flat(),
  );
  const step = Math.ceil(all.length / 200);
  return all.filter((_, i) => i % step === 0);
}

describe.runIf(browserPath !== undefined).each(WATERS)('a region of $name', (waters) => {
  const { box, center } = waters;
  const folder = scratchFolder();
  let charts: string;
  let service: Service;
  let browser: Browser;
  let host: SecondOrigin;
  let page: Page;
  let file: Buffer;
  const asked: string[] = [];
  beforeAll(async () => {
    charts = await waters.charts();
    service = await startService({ charts, assetsDir: inject('assets') });
    browser = await openBrowser();
    const { regions } = createClient({ address: service.address, token: await service.token() });
    const plan = await regions.plan({ bbox: [...box] as never, maxZoom: 15 });
    const parts: Uint8Array[] = [];
    for await (const { bytes } of regions.download(plan)) parts.push(bytes);
    file = Buffer.concat(parts);
    const stdin = { contents: SCRIPT, resolveDir: ROOT };
    const made = await build({
      stdin,
      bundle: true,
      format: 'esm',
      write: false,
      target: 'es2022',
      alias: { '@leadline/client/region': join(ROOT, 'workers/web/client/region.ts') },
      logLevel: 'error',
    });
    host = await serveFiles({
      '': [
        'text/html',
        `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
         <style>body{margin:0}#map{height:100vh}</style>
         <div id="map"></div><script type="module" src="/page.js"></script>`,
      ],
      'page.js': ['text/javascript', made.outputFiles[0]!.contents],
      'region.pmtiles': ['application/vnd.pmtiles', file],
      ...mapLibreFiles(),
    });
    page = await browser.newPage({ viewport: { width: 600, height: 400 } });
    await page.goto(host.origin);
    await page.waitForFunction(() => 'ready' in globalThis);
    // MapLibre loads its worker with the first map. Afterwards there is no network.
    await show('day', false, 5, undefined);
    page.on('request', (request) => {
      if (/^https?:/.test(request.url())) asked.push(request.url());
    });
    await page.context().setOffline(true);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
  });

  interface PageGlobals {
    hashes(tiles: readonly TileId[]): Promise<string[]>;
    show(
      theme: string,
      live: boolean,
      center: readonly [number, number],
      zoom: number,
      limit?: number,
    ): Promise<void>;
    faults: string[];
  }

  const show = (
    theme: string,
    live: boolean,
    zoom: number,
    limit: number | undefined,
    at: readonly [number, number] = center,
  ) =>
    page.evaluate(
      (given) =>
        (globalThis as unknown as PageGlobals).show(
          given.theme,
          given.live,
          given.center,
          given.zoom,
          given.limit,
        ),
      { theme, live, center: at, zoom, limit },
    );

  test.each([
    ['day', false, undefined],
    ['dusk', true, 20],
  ] as const)('is drawn by %s without a request', async (theme, live, limit) => {
    await show(theme, live, 13, limit);
    const faults = await page.evaluate(() => (globalThis as unknown as PageGlobals).faults);
    expect([faults, asked]).toEqual([[], []]);
    const colors = await colorShares(page);
    expect(landAndWater(colors, paletteFor(theme))).toBeGreaterThan(0.4);
    // Symbols and texts as well as areas.
    expect(colors.size).toBeGreaterThan(30);
  });

  test('is hatched as no data outside its box', async () => {
    await show('day', false, 12, undefined, [center[0] + 1, center[1]]);
    const colors = await colorShares(page);
    const water = colors.get(paletteFor('day').BGWTR.toLowerCase()) ?? 0;
    expect(water).toBeGreaterThan(0.1);
    expect(water).toBeLessThan(0.9);
  });

  test('has each tile of the service, from zoom 0 to the last zoom', async () => {
    const tiles = Array.from({ length: 17 }, (_, z) => tilesOf(box, z)).flat();
    const own = await page.evaluate(
      (given) => (globalThis as unknown as PageGlobals).hashes(given),
      tiles,
    );
    const others: string[] = [];
    for (const { z, x, y } of tiles) {
      const answer = await service.get(`/api/v2/tiles/enc-v2/${z}/${x}/${y}.mvt`);
      expect(answer.status).toBe(200);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      others.push(createHash('sha256').update(bytes).digest('hex'));
    }
    expect(tiles.length).toBeGreaterThan(200);
    expect(own).toEqual(others);
  });

  test('is updated by a delta, and then equals a new extract byte for byte', async () => {
    const [longitude, latitude] = center;
    const tileAt = (z: number): TileId => ({
      z,
      x: Math.floor(mercatorX(longitude) * 2 ** z),
      y: Math.floor(mercatorY(latitude) * 2 ** z),
    });
    const earlier = await earlierCharts(charts, { changed: tileAt(13), left: tileAt(12) });
    try {
      const request = { bounds: box, maxZoom: 15 };
      const assets = inject('assets');
      const [old, now] = ['old', 'new'].map((name) => join(folder, name)) as [string, string];
      await extractRegion({ charts: earlier, assets, request }, old);
      await extractRegion({ charts, assets, request }, now);
      expect(readFileSync(now).equals(file)).toBe(true);
      await publishBeside(service, earlier);
      const oldFile = blobOf(readFileSync(old));
      const { note } = await openRegion(oldFile);
      const { regions } = createClient({ address: service.address, token: await service.token() });
      const plan = await regions.plan({
        bbox: [...box] as never,
        maxZoom: 15,
        from: note.id,
      });
      const parts: Uint8Array[] = [];
      for await (const { bytes } of regions.downloadDelta(plan)) parts.push(bytes);
      const made: Uint8Array[] = [];
      for await (const bytes of applyDelta(oldFile, blobOf(...parts))) {
        made.push(bytes);
      }
      expect(Buffer.concat(made).equals(file)).toBe(true);
      expect(plan.delta).toMatchObject({ changed: 2, removed: 1 });
      expect(plan.delta!.bytes).toBeLessThan(file.length / 10);
    } finally {
      rmSync(earlier, { recursive: true, force: true });
    }
  });
});
