// Measures how crowded a chart is at a zoom, on painted raster tiles: ink, symbols and soundings per square
// centimetre.

import type { DisplayItem, IconItem, TextItem } from '../../shared/raster/display-list.ts';
import { TILE_PIXELS } from '../../shared/raster/display-list.ts';
import type { Painter } from '../../shared/raster/paint/paint.ts';
import type { RasterDrawer } from './raster-tiles.ts';

/** CSS pixels: 96 to an inch. */
const PIXELS_PER_CM = 96 / 2.54;
/** Digits, with or without a small one. */
const SOUNDING = /^\d{1,4}[₀-₉]?$/;
const SOUNDING_PIXELS = 11;
/** Images that are part of another symbol or of a text: flares, sectors, rings and lines of soundings. */
const PARTS = /^(?:LIGHTS|LITDEF|arc-|leg|SNDLOW|SNDDRY|LOWACC|TOPMAR|LIMIT-|CBLSUB|PIPSOL)/;

export interface Crowding {
  /** Share of pixels that symbols, texts and lines change. */
  readonly ink: number;
  /** Per square centimetre of a screen with 96 pixels per inch. */
  readonly symbols: number;
  /** Per square centimetre. */
  readonly soundings: number;
  /** Total number of pairs of symbols that overlap. */
  readonly overlaps: number;
}

/** Symbols with closer centres overlap; below the smaller distance they are one mark. */
const [ONE_MARK_PIXELS, ON_ANOTHER_PIXELS] = [0.5, 10];

/** @param tiles number of tiles to each side of the middle one */
export async function crowdingAt(
  drawer: Pick<RasterDrawer, 'displayList'>,
  painter: Pick<Painter, 'paint'>,
  middle: { readonly z: number; readonly x: number; readonly y: number },
  tiles: number,
): Promise<Crowding> {
  let [inked, symbols, soundings, pixels, overlaps] = [0, 0, 0, 0, 0];
  for (let dx = -tiles; dx <= tiles; dx++) {
    for (let dy = -tiles; dy <= tiles; dy++) {
      const list = await drawer.displayList({
        z: middle.z,
        x: middle.x + dx,
        y: middle.y + dy,
      });
      const grounds = list.items.filter(({ kind }) => kind === 'fill');
      // Copied, because the painter reuses its buffer.
      const whole = painter.paint(list).slice();
      inked += differing(whole, painter.paint({ ...list, items: grounds }));
      pixels += TILE_PIXELS ** 2;
      const shown = list.items.filter(isSymbol);
      symbols += shown.length;
      overlaps += pairsOnOneAnother(shown);
      soundings += list.items.filter(isSounding).length;
    }
  }
  const squareCm = pixels / PIXELS_PER_CM ** 2;
  return {
    ink: inked / pixels,
    symbols: symbols / squareCm,
    soundings: soundings / squareCm,
    overlaps,
  };
}

const pairsOnOneAnother = (symbols: readonly IconItem[]): number =>
  symbols.reduce((pairs, a, i) => {
    const on = symbols.slice(i + 1).filter((b) => {
      const distance = Math.hypot(a.x - b.x, a.y - b.y);
      return distance >= ONE_MARK_PIXELS && distance < ON_ANOTHER_PIXELS;
    });
    return pairs + on.length;
  }, 0);

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
