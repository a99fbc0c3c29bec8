// Hatching is continuous across tile edges, in maps and in raster tiles: around a corner of four tiles
// the image repeats exactly with the period of the pattern.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { TILE_PIXELS } from '../../shared/raster/display-list.ts';
import { type Artwork, Painter } from '../../shared/raster/paint/paint.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { startCanvas } from '../support/canvas.ts';
import {
  type ChartHost,
  openChart,
  openChartHost,
  pictureOf,
  showStyle,
} from '../support/chart-host.ts';
import { buildGrounds, PLACES } from '../support/four-grounds.ts';
import { artworkOf, dayStyle, rasterDrawer } from '../support/raster-tiles.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { tileAt } from '../support/written-chart.ts';

/** The side of each hatching tile in pixels. */
const PERIOD = 16;
const SIZE = { width: 300, height: 300 };

interface Hatched {
  readonly ground: string;
  readonly charts: 'grounds' | 'demo';
  readonly at: readonly [number, number];
  readonly zoom: number;
}

const HATCHED: readonly Hatched[] = [
  { ground: 'uncharted water', charts: 'grounds', at: PLACES.unchartedWater, zoom: 12 },
  { ground: 'uncharted land', charts: 'grounds', at: PLACES.unchartedLand, zoom: 12 },
  { ground: 'ground without depths', charts: 'grounds', at: PLACES.chartedWithoutDepths, zoom: 12 },
  { ground: 'an enlarged chart next to a finer one', charts: 'demo', at: [-20.3, -30.1], zoom: 14 },
];

/** Only area layers, with their patterns. */
function groundsOf(style: StyleSpecification): StyleSpecification {
  const layers = style.layers.filter(({ type }) => type === 'fill' || type === 'background');
  return { ...style, layers };
}

/** The tile corner nearest to a position. */
function cornerNear([longitude, latitude]: readonly [number, number], zoom: number) {
  const { x, y } = tileAt(zoom, [longitude, latitude]);
  const unit = 2 ** zoom;
  const mercator = Math.PI * (1 - (2 * y) / unit);
  return [(x / unit) * 360 - 180, (Math.atan(Math.sinh(mercator)) * 180) / Math.PI] as const;
}

interface Pixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/**
 * The number of pixels that differ from those one period to the right or below, and the number of
 * colours.
 */
function unlike({ data, width, height }: Pixels): {
  readonly unlike: number;
  readonly colors: number;
} {
  const at = (x: number, y: number, channel: number) => data[4 * (y * width + x) + channel]!;
  const differ = (x: number, y: number, dx: number, dy: number) =>
    [0, 1, 2].some((c) => Math.abs(at(x, y, c) - at(x + dx, y + dy, c)) > 3);
  const colors = new Set<number>();
  let count = 0;
  for (let y = 0; y < height - PERIOD; y++) {
    for (let x = 0; x < width - PERIOD; x++) {
      colors.add((at(x, y, 0) << 16) | (at(x, y, 1) << 8) | at(x, y, 2));
      if (differ(x, y, PERIOD, 0) || differ(x, y, 0, PERIOD)) count++;
    }
  }
  return { unlike: count, colors: colors.size };
}

describe.runIf(browserPath !== undefined)('hatching', () => {
  const folder = scratchFolder();
  const charts = { grounds: '', demo: inject('demoCharts') };
  const hosts = new Map<string, ChartHost>();
  let browser: Browser;
  let artwork: Artwork;
  const pages = new Map<string, Page>();

  beforeAll(async () => {
    charts.grounds = await buildGrounds(folder);
    browser = await openBrowser();
    artwork = artworkOf(inject('assets'));
    for (const [name, path] of Object.entries(charts)) {
      const host = await openChartHost(path, inject('assets'));
      hosts.set(name, host);
      pages.set(name, await openChart(browser, host, SIZE));
    }
  });
  afterAll(async () => {
    await browser?.close();
    for (const host of hosts.values()) await host.stop();
  });

  test.each(HATCHED)('of $ground is continuous at a corner of four map tiles', async (one) => {
    const style = groundsOf(hosts.get(one.charts)!.style({ hatchNoData: true }));
    const page = pages.get(one.charts)!;
    await showStyle(page, style, { center: cornerNear(one.at, one.zoom), zoom: one.zoom });
    const found = unlike(await pictureOf(page));
    expect(found.unlike).toBe(0);
    expect(found.colors).toBeGreaterThan(1);
  });

  test.each(HATCHED)('of $ground is continuous at a corner of four raster tiles', async (one) => {
    const drawer = await rasterDrawer(
      charts[one.charts],
      artwork,
      groundsOf(dayStyle({ hatchNoData: true })),
    );
    const painter = new Painter(artwork, startCanvas);
    const { z, x, y } = tileAt(one.zoom, one.at);
    const side = 2 * TILE_PIXELS;
    const data = new Uint8Array(4 * side * side);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const tile = { z: z + 1, x: 2 * x - 1 + dx, y: 2 * y - 1 + dy };
      const painted = painter.paint(await drawer.displayList(tile));
      for (let row = 0; row < TILE_PIXELS; row++) {
        const from = painted.subarray(4 * row * TILE_PIXELS, 4 * (row + 1) * TILE_PIXELS);
        data.set(from, 4 * ((dy * TILE_PIXELS + row) * side + dx * TILE_PIXELS));
      }
    }
    await drawer.close();
    const found = unlike({ data, width: side, height: side });
    expect(found.unlike).toBe(0);
    expect(found.colors).toBeGreaterThan(1);
  });
});
