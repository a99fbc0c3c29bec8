// How crowded a chart is at a zoom, measured on what a raster tile paints: ink, symbols and
// soundings on a square centimetre.

import type { DisplayItem, IconItem, TextItem } from '../../shared/raster/display-list.ts';
import { TILE_PIXELS } from '../../shared/raster/display-list.ts';
import { type Artwork, Painter } from '../../shared/raster/paint/paint.ts';
import { startCanvas } from './canvas.ts';
import type { RasterDrawer } from './raster-tiles.ts';

/** CSS pixels: 96 to an inch. */
const PIXELS_PER_CM = 96 / 2.54;
/** Digits, with a small one or without. */
const SOUNDING = /^\d{1,4}[₀-₉]?$/;
const SOUNDING_PIXELS = 11;
/** Images that are part of another symbol or of a text: flares, sectors, rings and lines of soundings. */
const PARTS = /^(?:LIGHTS|LITDEF|arc-|leg|SNDLOW|SNDDRY|LOWACC|TOPMAR|LIMIT-|CBLSUB|PIPSOL)/;

export interface Crowding {
  /** Share of pixels that symbols, texts and lines change. */
  readonly ink: number;
  /** Per square centimetre of a screen with 96 pixels to the inch. */
  readonly symbols: number;
  /** The same. */
  readonly soundings: number;
}

/** @param tiles to each side of the middle one */
export async function crowdingAt(
  drawer: RasterDrawer,
  artwork: Artwork,
  middle: { readonly z: number; readonly x: number; readonly y: number },
  tiles: number,
): Promise<Crowding> {
  const painter = new Painter(artwork, startCanvas);
  let [inked, symbols, soundings, pixels] = [0, 0, 0, 0];
  for (let dx = -tiles; dx <= tiles; dx++) {
    for (let dy = -tiles; dy <= tiles; dy++) {
      const list = await drawer.displayList({
        z: middle.z,
        x: middle.x + dx,
        y: middle.y + dy,
      });
      const grounds = list.items.filter(({ kind }) => kind === 'fill');
      // The painter's picture is its own until it paints the next.
      const whole = painter.paint(list).slice();
      inked += differing(whole, painter.paint({ ...list, items: grounds }));
      pixels += TILE_PIXELS ** 2;
      symbols += list.items.filter(isSymbol).length;
      soundings += list.items.filter(isSounding).length;
    }
  }
  const squareCm = pixels / PIXELS_PER_CM ** 2;
  return {
    ink: inked / pixels,
    symbols: symbols / squareCm,
    soundings: soundings / squareCm,
  };
}

const isInside = ({ x, y }: { readonly x: number; readonly y: number }): boolean =>
  x >= 0 && x < TILE_PIXELS && y >= 0 && y < TILE_PIXELS;

const isSymbol = (item: DisplayItem): item is IconItem =>
  item.kind === 'icon' && isInside(item) && !PARTS.test(item.image);

const isSounding = (item: DisplayItem): item is TextItem =>
  item.kind === 'text' &&
  item.sizePixels === SOUNDING_PIXELS &&
  isInside(item) &&
  SOUNDING.test(item.text);

function differing(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const channels = a.length / TILE_PIXELS ** 2;
  let count = 0;
  for (let i = 0; i < a.length; i += channels) {
    if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) count++;
  }
  return count;
}
