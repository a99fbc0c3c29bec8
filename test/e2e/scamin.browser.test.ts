// SCAMIN between whole zooms in MapLibre: squares of different SCAMIN on a white ground, seen from
// zooms on either side of it.

import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IN_SCALE } from '../../shared/style/expressions.ts';
import { fadeIn } from '../../shared/style/scamin-fade.ts';
import { openBrowser } from '../support/browser.ts';
import { mapLibreFiles, serveFiles } from '../support/second-origin.ts';

const OWN_ZOOMS = [13, 13.1, 13.5, 13.9, 14];
/** Width of a square in degrees: 32 pixels at zoom 13. */
const STEP = (360 * 32) / (512 * 2 ** 13);

const squareAt = (index: number, mz: number) => {
  const west = (index - OWN_ZOOMS.length / 2) * STEP;
  const ring = [
    [west, -STEP],
    [west + STEP, -STEP],
    [west + STEP, STEP],
    [west, STEP],
    [west, -STEP],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  return { type: 'Feature', properties: { mz }, geometry };
};

const STYLE = {
  version: 8,
  sources: {
    squares: {
      type: 'geojson',
      data: { type: 'FeatureCollection', features: OWN_ZOOMS.map((mz, i) => squareAt(i, mz)) },
    },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#ffffff' } },
    {
      id: 'squares',
      type: 'fill',
      source: 'squares',
      filter: IN_SCALE,
      paint: { 'fill-color': '#000000', 'fill-opacity': fadeIn() },
    },
  ],
};

const HTML = `<!doctype html><meta charset="utf-8"><style>body{margin:0}#map{height:100vh}</style>
<div id="map"></div>
<script type="module">
  import { Map } from '/maplibre-gl.mjs';
  const map = new Map({ container: 'map', style: ${JSON.stringify(STYLE)}, center: [0, 0], zoom: 12.5,
    fadeDuration: 0, interactive: false, attributionControl: false, pixelRatio: 1 });
  globalThis.goTo = (zoom) => new Promise((done) => { map.once('idle', () => done()); map.jumpTo({ zoom }); });
  map.once('idle', () => { globalThis.ready = true; });
</script>`;

const SIDE = 400;
let browser: Browser;
let page: Page;
let stop: () => Promise<void>;

beforeAll(async () => {
  const host = await serveFiles({ '': ['text/html', HTML], ...mapLibreFiles('maplibre-gl.mjs') });
  stop = host.stop;
  browser = await openBrowser();
  page = await browser.newPage({
    viewport: { width: SIDE, height: SIDE },
    deviceScaleFactor: 1,
  });
  await page.goto(host.origin);
  await page.waitForFunction(() => 'ready' in globalThis);
});

afterAll(async () => {
  await browser?.close();
  await stop?.();
});

/** How black each square is at a zoom, 0 to 1. */
async function inkAt(zoom: number): Promise<number[]> {
  await page.evaluate(
    (to) => (globalThis as unknown as { goTo(zoom: number): Promise<void> }).goTo(to),
    zoom,
  );
  const picture = PNG.sync.read(await page.screenshot());
  const width = 32 * 2 ** (zoom - 13);
  return OWN_ZOOMS.map((_, i) => {
    const x = Math.round(SIDE / 2 + (i + 0.5 - OWN_ZOOMS.length / 2) * width);
    const red = picture.data[4 * ((SIDE / 2) * SIDE + x)]!;
    return Math.round((1 - red / 255) * 100) / 100;
  });
}

test('squares come in at their own zoom, not at the next whole one', async () => {
  expect(await inkAt(12.95)).toEqual([expect.closeTo(0, 1), 0, 0, 0, 0]);
  expect(await inkAt(13)).toEqual([1, 0, 0, 0, 0]);
  const between = await inkAt(13.55);
  expect(between[0]).toBe(1);
  expect(between[1]).toBeGreaterThan(0.7);
  expect(between[2]).toBeGreaterThan(0.4);
  expect(between.slice(3)).toEqual([0, 0]);
  const late = await inkAt(13.95);
  expect(Math.min(...late.slice(0, 4))).toBeGreaterThan(0.6);
  expect(late[4]).toBe(0);
  expect(await inkAt(14)).toEqual([1, 1, 1, 1, 1]);
});
