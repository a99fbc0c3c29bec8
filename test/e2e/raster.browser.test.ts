// Raster tiles compared with MapLibre GL in Chromium: the same style with the same vector tiles, pixel
// by pixel without texts, and text by text with them.

import { deflateSync } from 'node:zlib';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import pixelmatch from 'pixelmatch';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { TileId } from '../../shared/geo/tile.ts';
import { Painter } from '../../shared/raster/paint/paint.ts';
import { encodePng } from '../../shared/raster/png.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { startCanvas } from '../support/canvas.ts';
import { hasEncData } from '../support/enc-data.ts';
import { isLong } from '../support/long-run.ts';
import { type MapPage, openMapPage, type RenderedFeature } from '../support/map-page.ts';
import {
  artworkOf,
  dayStyle,
  type RasterDrawer,
  rasterDrawer,
  withoutTexts,
} from '../support/raster-tiles.ts';
import { realCharts } from '../support/real-charts.ts';
import { type Service, startService } from '../support/service.ts';

const SIDE = 256;
/** Software rendering takes seconds per tile, so the test uses every fifth tile, or all in a long run. */
const STEP = isLong ? 1 : 5;

interface Kind {
  readonly name: string;
  readonly tiles: readonly (readonly [z: number, x: number, y: number])[];
}

/** A square of tiles: zoom, column and row of its corner, and the number of tiles along a side. */
function square(z: number, x: number, y: number, side: number): [number, number, number][] {
  return Array.from({ length: side * side }, (_, i) => [
    z,
    x + (i % side),
    y + Math.floor(i / side),
  ]);
}

const DEMO: readonly Kind[] = [
  { name: 'the harbour', tiles: [...square(15, 14561, 19246, 4), ...square(16, 29125, 38497, 2)] },
  { name: 'the coast', tiles: [...square(12, 1819, 2404, 3), ...square(10, 454, 600, 2)] },
  { name: 'the open sea', tiles: [...square(8, 112, 149, 2), ...square(12, 1824, 2400, 2)] },
  {
    name: 'the world',
    // Zoom 0 would be zoom −1 of the map, which does not exist.
    tiles: [...square(1, 0, 0, 2), ...square(2, 1, 1, 2), ...square(3, 3, 4, 2)],
  },
];
const REAL: readonly Kind[] = [
  { name: 'Tacoma', tiles: [...square(14, 2618, 5742, 3), ...square(15, 5241, 11488, 2)] },
  { name: 'Homer', tiles: [...square(14, 1299, 4792, 2), ...square(13, 649, 2395, 2)] },
  { name: 'Alaska', tiles: [...square(10, 80, 298, 2), ...square(11, 162, 598, 2)] },
  { name: 'the West Coast', tiles: [...square(7, 19, 44, 2), [5, 5, 11]] },
];

const sets = [
  { set: 'the demo', charts: () => inject('demoCharts'), kinds: DEMO },
  ...(hasEncData
    ? [
        {
          set: 'real cells',
          charts: realCharts,
          kinds: REAL,
        },
      ]
    : []),
];

describe.runIf(browserPath !== undefined).each(sets)('$set', ({ charts, kinds }) => {
  let browser: Browser;
  let service: Service;
  let bare: { map: MapPage; drawer: RasterDrawer };
  let whole: { map: MapPage; drawer: RasterDrawer };
  let painter: Painter;
  let texts: readonly string[];

  beforeAll(async () => {
    const folder = await charts();
    const assetsDir = inject('assets');
    service = await startService({ charts: folder, assetsDir });
    browser = await openBrowser();
    const artwork = artworkOf(assetsDir);
    painter = new Painter(artwork, startCanvas);
    const query = `?token=${await service.token()}`;
    const served = await fetch(`${service.address}/api/v1/styles/base.json${query}`);
    const style = (await served.json()) as StyleSpecification;
    const open = async (reduce: (style: StyleSpecification) => StyleSpecification) => ({
      map: await openMapPage(browser, reduce(style)),
      drawer: await rasterDrawer(folder, artwork, reduce(dayStyle())),
    });
    bare = await open(withoutTexts);
    whole = await open((same) => same);
    const bareIds = new Set(withoutTexts(style).layers.map(({ id }) => id));
    texts = style.layers.map(({ id }) => id).filter((id) => !bareIds.has(id));
  });
  afterAll(async () => {
    await bare?.drawer.close();
    await whole?.drawer.close();
    await browser?.close();
    await service?.stop();
  });

  describe.each(kinds)('$name', ({ tiles: all }) => {
    const tiles = all.filter((_, i) => i % STEP === 0);

    test('raster tiles without texts differ from the map in at most 1.5 % of the pixels of any tile (2.5 % for half the world)', async () => {
      for (const [z, x, y] of tiles) {
        const drawn = painter.draw(await bare.drawer.displayList({ z, x, y }));
        const file = encodePng(drawn, SIDE, (bytes) => deflateSync(bytes));
        const ours = PNG.sync.read(Buffer.from(file)).data;
        const { picture } = await bare.map.show({ z, x, y }, []);
        const options = { threshold: 0.15, includeAA: true };
        const count = pixelmatch(ours, picture.data, undefined, SIDE, SIDE, options);
        // At zoom 1 a third of the pixels of land are on shores, dark on pale, and the two renderers
        // blend them slightly differently.
        expect(count / SIDE ** 2, `${z}/${x}/${y}`).toBeLessThan(z <= 1 ? 0.025 : 0.015);
      }
    });

    test('raster tiles contain at least 85 % of the texts on the map', async () => {
      let shown = 0;
      let found = 0;
      for (const [z, x, y] of tiles) {
        const { rendered } = await whole.map.show({ z, x, y }, texts);
        const seen = rendered.filter((feature) => propertyOf('text-opacity', feature, z) > 0);
        shown += seen.length;
        found += await foundOf(seen, { z, x, y });
      }
      // The open sea of the demo may contain no texts.
      if (shown > 0) expect(found / shown, `${found} of ${shown}`).toBeGreaterThan(0.85);
    });
  });

  /** The value of a property for a map feature on a raster tile of a zoom. */
  function propertyOf<T = number>(property: string, feature: RenderedFeature, z: number): T {
    const layer = whole.drawer.style.find(({ id }) => id === feature.layer)!;
    return layer.value<T>(property, Math.max(0, z - 1), feature);
  }

  /** The number of map texts that the raster tile has too. Each text of the tile counts once. */
  async function foundOf(rendered: readonly RenderedFeature[], tile: TileId): Promise<number> {
    const { items } = await whole.drawer.displayList(tile);
    const left = new Map<string, number>();
    for (const item of items) {
      if (item.kind === 'text') left.set(item.text, (left.get(item.text) ?? 0) + 1);
    }
    let found = 0;
    for (const feature of rendered) {
      const text = String(propertyOf<unknown>('text-field', feature, tile.z));
      const count = left.get(text) ?? 0;
      if (count === 0) continue;
      left.set(text, count - 1);
      found++;
    }
    return found;
  }
});
