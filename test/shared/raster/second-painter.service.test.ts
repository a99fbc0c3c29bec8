// Compares the painter with resvg, which renders the same display lists as SVG.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import pixelmatch from 'pixelmatch';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { Painter } from '../../../shared/raster/paint/paint.ts';
import { SvgWriter } from '../../../shared/raster/paint/svg.ts';
import { dataAddress } from '../../../workers/service/raster/resvg.ts';
import { startCanvas } from '../../support/canvas.ts';
import {
  artworkOf,
  dayStyle,
  type RasterDrawer,
  rasterDrawer,
  withoutTexts,
} from '../../support/raster-tiles.ts';

const SIDE = 256;
const WASM = createRequire(resolve(import.meta.filename)).resolve(
  '@resvg/resvg-wasm/index_bg.wasm',
);

/** The demo charts from ocean to port. */
const TILES = [
  [8, 113, 150],
  [10, 455, 601],
  [12, 1820, 2406],
  [13, 3640, 4812],
  [14, 7281, 9624],
  [14, 7280, 9624],
  [15, 14563, 19249],
  [15, 14562, 19248],
  [16, 29125, 38497],
  [18, 116500, 153990],
] as const;

describe('the painter against resvg', () => {
  let bare: RasterDrawer;
  let whole: RasterDrawer;
  let painter: Painter;
  let writer: SvgWriter;

  beforeAll(async () => {
    await initWasm(readFileSync(WASM));
    const artwork = artworkOf(inject('assets'));
    bare = await rasterDrawer(inject('demoCharts'), artwork, withoutTexts(dayStyle()));
    whole = await rasterDrawer(inject('demoCharts'), artwork, dayStyle());
    painter = new Painter(artwork, startCanvas);
    writer = new SvgWriter(artwork, dataAddress);
    return async () => {
      await bare.close();
      await whole.close();
    };
  });

  /** Percentage of visibly different pixels. */
  async function difference(drawer: RasterDrawer, tile: readonly [number, number, number]) {
    const [z, x, y] = tile;
    const list = await drawer.displayList({ z, x, y });
    const ours = painter.paint(list);
    const drawing = new Resvg(writer.write(list));
    const image = drawing.render();
    const theirs = image.pixels;
    const options = { threshold: 0.15, includeAA: true };
    const count = pixelmatch(ours, theirs, undefined, SIDE, SIDE, options);
    image.free();
    drawing.free();
    return (100 * count) / SIDE ** 2;
  }

  for (const tile of TILES) {
    test(`${tile.join('/')}: at most 1 % of the pixels differ, with texts 3 %`, async () => {
      expect(await difference(bare, tile)).toBeLessThan(1);
      expect(await difference(whole, tile)).toBeLessThan(3);
    });
  }
});
