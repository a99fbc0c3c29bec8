// Serves charts, artwork and a plain page with MapLibre on one port, without the service: for tests of the look of a
// style at any place and zoom. The page shows styles made in the test.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser, Page } from 'playwright-core';
import type { PMTiles } from 'pmtiles';
import { PNG } from 'pngjs';
import { ancestor, type TileId } from '../../shared/geo/tile.ts';
import { overzoomTile } from '../../shared/mvt/overzoom.ts';
import type { AssetsIndex } from '../../shared/style/assets-index.ts';
import { buildStyle } from '../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../shared/style/options.ts';
import { openArchive } from '../../tiles-build/archive/file-source.ts';
import { listen } from './listen.ts';
import { mapLibreFiles } from './second-origin.ts';
import { wholeArchive } from './whole-archive.ts';

const PAGE = `<!doctype html><meta charset="utf-8"><style>body{margin:0}#map{height:100vh}</style>
<div id="map"></div>
<script type="module">
  import { Map } from '/maplibre-gl.mjs';
  globalThis.start = (style, center, zoom) => new Promise((done, fail) => {
    globalThis.chart?.remove();
    const map = new Map({ container: 'map', style, center, zoom, fadeDuration: 0, minZoom: -2,
      interactive: false, attributionControl: false, pixelRatio: 1, canvasContextAttributes: { preserveDrawingBuffer: true } });
    map.on('error', (event) => fail(event.error));
    map.once('idle', () => done());
    globalThis.chart = map;
  });
  globalThis.ready = true;
</script>`;

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  png: 'image/png',
  pbf: 'application/x-protobuf',
};

export interface ChartHost {
  readonly origin: string;
  /** The style document for some options, with addresses of this host. */
  style(options?: Partial<StyleOptions>): StyleSpecification;
  stop(): Promise<void>;
}

/** Makes style documents, for one version of the project. */
export interface StyleMaker {
  readonly buildStyle: typeof buildStyle;
  readonly DEFAULT_OPTIONS: StyleOptions;
}

/**
 * @param charts a folder of charts
 * @param assets a folder of sprites and glyphs
 * @param by styles of another version, instead of this one's
 */
export async function openChartHost(
  charts: string,
  assets: string,
  by: StyleMaker = { buildStyle, DEFAULT_OPTIONS },
): Promise<ChartHost> {
  const { archive, close } = await openArchive(wholeArchive(charts, 'enc-v2'));
  const { maxZoom } = await archive.getHeader();
  const index = JSON.parse(readFileSync(join(assets, 'assets.json'), 'utf8')) as AssetsIndex;
  const files = mapLibreFiles('maplibre-gl.mjs');
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://page.invalid').pathname);
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    const file = files[path.slice(1)];
    if (file !== undefined) {
      return response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
    }
    const tile = /^\/tiles\/(\d+)\/(\d+)\/(\d+)$/.exec(path);
    if (tile !== null) {
      const [z, x, y] = tile.slice(1).map(Number) as [number, number, number];
      const bytes = await tileBytes(archive, { z, x, y });
      return bytes === undefined
        ? response.writeHead(204).end()
        : response.writeHead(200, { 'content-type': TYPES['pbf'] }).end(bytes);
    }
    const asset = join(assets, path);
    if (path.includes('..') || !existsSync(asset)) {
      return path.endsWith('.pbf') ? response.writeHead(204).end() : response.writeHead(404).end();
    }
    const type = TYPES[path.split('.').at(-1)!] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(asset));
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return {
    origin,
    style: (options = {}) => {
      const chosen = { ...by.DEFAULT_OPTIONS, ...options };
      const made = by.buildStyle({
        options: chosen,
        addresses: {
          tiles: `${origin}/tiles/{z}/{x}/{y}`,
          sprite: `${origin}${index.sprites.themes[chosen.theme]}`,
          glyphs: `${origin}${index.fonts.template}`,
          reports: `${origin}/reports`,
        },
        chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
      });
      const chart = { ...made.sources['chart'], maxzoom: maxZoom };
      return { ...made, sources: { ...made.sources, chart } } as StyleSpecification;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await close();
    },
  };
}

/** A tile, cut from its nearest ancestor if it is not stored, as in the service. */
async function tileBytes(archive: PMTiles, tile: TileId): Promise<Uint8Array | undefined> {
  for (let z = tile.z; z >= 0; z--) {
    const from = ancestor(tile, z);
    const found = await archive.getZxy(from.z, from.x, from.y);
    if (found === undefined) continue;
    const bytes = new Uint8Array(found.data);
    return z === tile.z ? bytes : overzoomTile(bytes, from, tile);
  }
  return undefined;
}

export interface View {
  readonly center: readonly [longitude: number, latitude: number];
  readonly zoom: number;
}

interface PageGlobals {
  start(style: unknown, center: readonly [number, number], zoom: number): Promise<void>;
  chart: {
    once(event: string, done: () => void): void;
    jumpTo(to: { center: unknown; zoom: number }): void;
    setPaintProperty(layer: string, name: string, value: unknown): void;
    triggerRepaint(): void;
  };
}

/** A page that shows a style. */
export async function openChart(
  browser: Browser,
  host: ChartHost,
  size: { readonly width: number; readonly height: number },
): Promise<Page> {
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1 });
  await page.goto(host.origin);
  await page.waitForFunction(() => 'ready' in globalThis);
  return page;
}

/** Shows a style at a place in a new map, without state from earlier ones. */
export const showStyle = (page: Page, style: StyleSpecification, view: View): Promise<void> =>
  page.evaluate(
    ({ style, center, zoom }) => (globalThis as unknown as PageGlobals).start(style, center, zoom),
    { style: style as unknown, ...view },
  );

/** Moves to another place with the same style, optionally with changed paint properties. */
export const moveTo = (
  page: Page,
  view: View,
  changes: readonly PaintChange[] = [],
): Promise<void> =>
  page.evaluate(
    async ({ view, changes }) => {
      const { chart } = globalThis as unknown as PageGlobals;
      await new Promise<void>((done) => {
        chart.once('idle', () => done());
        for (const [layer, property, value] of changes)
          chart.setPaintProperty(layer, property, value);
        chart.jumpTo(view);
        chart.triggerRepaint();
      });
    },
    { view, changes },
  );

/** A paint property of a layer and its new value. */
export type PaintChange = readonly [layer: string, property: string, value: string | number];

/** Changes paint properties without a new placement, and waits until the map is drawn. */
export const repaint = (page: Page, changes: readonly PaintChange[]) =>
  page.evaluate(async (changes) => {
    const { chart } = globalThis as unknown as PageGlobals;
    await new Promise<void>((done) => {
      chart.once('idle', done);
      for (const [layer, property, value] of changes)
        chart.setPaintProperty(layer, property, value);
      chart.triggerRepaint();
    });
  }, changes);

export const pictureOf = async (page: Page): Promise<PNG> => PNG.sync.read(await page.screenshot());
