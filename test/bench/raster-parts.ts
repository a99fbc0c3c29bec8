// Measures each step of a raster tile separately, with the code of the Worker in this process.

import { deflateSync } from 'node:zlib';
import type { TileId } from '../../shared/geo/tile.ts';
import { TILE_PIXELS } from '../../shared/raster/display-list.ts';
import { Painter } from '../../shared/raster/paint/paint.ts';
import { DEFLATE_LEVEL, encodePng } from '../../shared/raster/png.ts';
import { startCanvas } from '../support/canvas.ts';
import { artworkOf, dayStyle, rasterDrawer } from '../support/raster-tiles.ts';

/** Milliseconds of one tile, on average. */
export interface RasterParts {
  /** Unzips and decodes vector tiles, places symbols and names, and returns the shapes to paint. */
  readonly layingOut: number;
  /** Paints the shapes and reduces the colours to a palette. */
  readonly painting: number;
  /** Packed as a PNG. */
  readonly packing: number;
}

/**
 * Steps of raster tiles, by place. Blocks that several tiles look at are prepared once, as there.
 * @param tiles of each place; those of the first place are painted once before, to warm up
 */
export async function rasterParts(
  charts: string,
  assets: string,
  tiles: readonly (readonly TileId[])[],
): Promise<RasterParts[]> {
  await partsOf(charts, assets, tiles[0] ?? []);
  const parts: RasterParts[] = [];
  for (const those of tiles) parts.push(await partsOf(charts, assets, those));
  return parts;
}

async function partsOf(
  charts: string,
  assets: string,
  tiles: readonly TileId[],
): Promise<RasterParts> {
  const artwork = artworkOf(assets);
  const drawer = await rasterDrawer(charts, artwork, dayStyle());
  const painter = new Painter(artwork, startCanvas);
  const sums = { layingOut: 0, painting: 0, packing: 0 };
  for (const tile of tiles) {
    const started = performance.now();
    const list = await drawer.displayList(tile);
    const laidOut = performance.now();
    const rows = painter.draw(list);
    const painted = performance.now();
    await encodePng(rows, TILE_PIXELS, (bytes) => deflateSync(bytes, { level: DEFLATE_LEVEL }));
    const packed = performance.now();
    sums.layingOut += laidOut - started;
    sums.painting += painted - laidOut;
    sums.packing += packed - painted;
  }
  await drawer.close();
  const mean = (sum: number) => sum / tiles.length;
  return {
    layingOut: mean(sums.layingOut),
    painting: mean(sums.painting),
    packing: mean(sums.packing),
  };
}
