// A minimal page with MapLibre GL in Chromium, the reference for raster tiles. It shows a style of a
// running service at the position of one raster tile, from another origin.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { TileId } from '../../shared/geo/tile.ts';
import { mapLibreFiles, serveFiles } from './second-origin.ts';

const TILE = 256;
/**
 * The side of the map: one tile, and with texts also the margin from which texts of neighbours reach
 * into it. At low zooms only the tile, because a map shows at most the height of the world.
 */
const sideFor = (zoom: number, hasTexts: boolean): number =>
  hasTexts && zoom >= 1 ? 2 * TILE : TILE;

const HTML = `<!doctype html><meta charset="utf-8"><style>body{margin:0}#map{height:100vh}</style>
<div id="map" ></div>
<script type="module">
  import { Map } from '/maplibre-gl.mjs';
  globalThis.startMap = (style, center, zoom) => new Promise((done, fail) => {
    const map = new Map({ container: 'map', style, center, zoom, fadeDuration: 0, minZoom: -2,
      interactive: false, attributionControl: false, renderWorldCopies: true, pixelRatio: 1 });
    map.on('error', (event) => {
      globalThis.mapError ??= String(event.error);
      fail(event.error);
    });
    map.once('idle', () => done());
    globalThis.map = map;
  });
  globalThis.ready = true;
</script>`;

export interface RenderedFeature {
  readonly layer: string;
  readonly type: 1 | 2 | 3;
  readonly properties: Record<string, string | number | boolean>;
}

export interface MapPage {
  /** The image of the map for a raster tile, and the rendered features of the given layers. */
  show(
    tile: TileId,
    texts: readonly string[],
  ): Promise<{ picture: PNG; rendered: RenderedFeature[] }>;
  /** Replaces the style, because opening a page takes longer than most views. */
  restyle(style: StyleSpecification): Promise<void>;
  close(): Promise<void>;
}

/** Opens the page with a style of a running service. */
export async function openMapPage(browser: Browser, first: StyleSpecification): Promise<MapPage> {
  let style = first;
  const host = await serveFiles({
    '': ['text/html', HTML],
    ...mapLibreFiles('maplibre-gl.mjs'),
  });
  const page = await browser.newPage({ deviceScaleFactor: 1 });
  await page.goto(host.origin);
  await page.waitForFunction(() => 'ready' in globalThis);
  let isStarted = false;
  return {
    show: async (tile, texts) => {
      const { center, zoom } = viewOf(tile);
      const side = sideFor(zoom, texts.length > 0);
      await page.setViewportSize({ width: side, height: side });
      if (!isStarted) await start(page, style, center, zoom);
      else await move(page, center, zoom);
      isStarted = true;
      const corner = (side - TILE) / 2;
      const clip = { x: corner, y: corner, width: TILE, height: TILE };
      const picture = await settled(page, { center, zoom }, clip);
      const rendered = texts.length === 0 ? [] : await renderedIn(page, corner, texts);
      return { picture: PNG.sync.read(picture), rendered };
    },
    restyle: async (other) => {
      style = other;
      if (isStarted) await setStyle(page, other);
    },
    close: async () => {
      await page.close();
      await host.stop();
    },
  };
}

/** The centre and zoom for a map with the raster tile in the middle. Maps use tiles of 512 pixels. */
function viewOf({ z, x, y }: TileId): { center: [number, number]; zoom: number } {
  const across = 2 ** z;
  const longitude = ((x + 0.5) / across) * 360 - 180;
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 0.5)) / across))) * 180) / Math.PI;
  return { center: [longitude, latitude], zoom: z - 1 };
}

interface PageGlobals {
  startMap(style: unknown, center: [number, number], zoom: number): Promise<void>;
  mapError?: string;
  map: {
    once(event: string, done: () => void): void;
    jumpTo(to: { center: unknown; zoom?: number }): void;
    setStyle(style: unknown, options: { diff: boolean }): void;
    queryRenderedFeatures(
      box?: [[number, number], [number, number]],
      options?: { layers: readonly string[] },
    ): {
      layer: { id: string };
      geometry: { type: string };
      properties: RenderedFeature['properties'];
    }[];
  };
}

const start = (page: Page, style: unknown, center: [number, number], zoom: number) =>
  page.evaluate(
    ({ style, center, zoom }) =>
      (globalThis as unknown as PageGlobals).startMap(style, center, zoom),
    { style, center, zoom },
  );

/** Replaces the style without a diff to the previous one. */
const setStyle = (page: Page, style: unknown) =>
  page.evaluate((style) => {
    const { map } = globalThis as unknown as PageGlobals;
    return new Promise<void>((done) => {
      map.once('idle', () => done());
      map.setStyle(style, { diff: false });
    });
  }, style);

const move = (page: Page, center: [number, number], zoom: number) =>
  page.evaluate(
    ({ center, zoom }) => {
      const { map } = globalThis as unknown as PageGlobals;
      return new Promise<void>((done) => {
        // Returns nothing, because the event contains the whole map.
        map.once('idle', () => done());
        map.jumpTo({ center, zoom });
      });
    },
    { center, zoom },
  );

/**
 * The image when two consecutive moves give the same image. Tiles with texts remain until the next
 * move so that texts can fade, and on a busy machine they stay longer. A tile that failed to load
 * would leave its parent in its place.
 */
async function settled(
  page: Page,
  { center, zoom }: { center: [number, number]; zoom: number },
  clip: { x: number; y: number; width: number; height: number },
): Promise<Buffer> {
  let picture = await page.screenshot({ clip });
  for (let before: Buffer | undefined; before === undefined || !before.equals(picture); ) {
    before = picture;
    await move(page, center, zoom);
    picture = await page.screenshot({ clip });
  }
  const error = await page.evaluate(() => (globalThis as unknown as PageGlobals).mapError);
  if (error !== undefined) throw new Error(error);
  return picture;
}

const renderedIn = (
  page: Page,
  corner: number,
  layers: readonly string[],
): Promise<RenderedFeature[]> =>
  page.evaluate(
    ({ corner, layers, side }) => {
      const { map } = globalThis as unknown as PageGlobals;
      // The layers of names have an invisible image around the mark, larger than the mark by 8 pixels. It is not a
      // text on the tile.
      const inset = 8;
      const box: [[number, number], [number, number]] = [
        [corner + inset, corner + inset],
        [corner + side - inset, corner + side - inset],
      ];
      return map.queryRenderedFeatures(box, { layers }).map(({ layer, geometry, properties }) => ({
        layer: layer.id,
        type: geometry.type.endsWith('Point') ? 1 : geometry.type.endsWith('String') ? 2 : 3,
        properties,
      }));
    },
    { corner, layers, side: TILE },
  );
