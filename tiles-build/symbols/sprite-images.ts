// Each symbol and pattern as an image: its size in whole pixels and its SVG in the colours of a
// theme.

import {
  FLARE_SYMBOLS,
  PATTERN_SYMBOLS,
  type PatternName,
} from '../../shared/chart/symbol-names.ts';
import type { Theme } from '../../shared/style/options.ts';
import type { Palette } from '../../shared/style/palette.ts';
import { drawnSymbols } from './catalog.ts';
import { PATTERNS } from './patterns.ts';
import type { SymbolShapes } from './shape.ts';
import { halfSizeOf, shapesToSvg } from './shape-svg.ts';

export interface SpriteImage {
  readonly name: string;
  /** Pixels at ratio 1. */
  readonly width: number;
  readonly height: number;
  /**
   * The centre of a symbol is its charted position, except that a flare stands on its position. A
   * pattern has no position and is tiled.
   */
  readonly kind: 'symbol' | 'pattern';
  /** Whether a shape that crosses an edge continues at the opposite side. */
  readonly wraps: boolean;
  /** Top left corner of the image in the coordinates of the shapes. */
  readonly left: number;
  readonly top: number;
  readonly shapes: SymbolShapes;
}

/**
 * Line widths of rocks in the theme that draws them finer, as a fraction of those in other themes.
 */
const FINE = 0.72;
const ROCKS: ReadonlySet<string> = new Set(['UWTROC03', 'UWTROC04']);

/**
 * Every image of a theme's sprite, sorted by name. Images of a name have the same size in every
 * theme.
 */
export function spriteImages(theme: Theme): SpriteImage[] {
  const symbols = [...drawnSymbols()].map(([name, shapes]) => {
    const image = symbolImage(name, shapes);
    return theme === 'yacht' && ROCKS.has(name) ? { ...image, shapes: thinner(shapes) } : image;
  });
  const patterns = PATTERN_SYMBOLS.map((name) => patternImage(name));
  return [...symbols, ...patterns].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * An image as a nested SVG element with its corner at `x`, `y` of the outer one, at `ratio` pixels
 * per pixel. It is clipped to its box, so that it does not touch its neighbours.
 */
export function imageToSvg(
  image: SpriteImage,
  palette: Palette,
  place: { readonly x: number; readonly y: number; readonly ratio: number },
): string {
  const { width, height, left, top } = image;
  const content = shapesToSvg(image.shapes, palette);
  const size = `width="${width * place.ratio}" height="${height * place.ratio}"`;
  return (
    `<svg x="${place.x}" y="${place.y}" ${size} viewBox="${left} ${top} ${width} ${height}">` +
    `${image.wraps ? repeated(content, width) : content}</svg>`
  );
}

const thinner = (shapes: SymbolShapes): SymbolShapes =>
  shapes.map(({ steps, paint }) => ({
    steps,
    paint: paint.width === undefined ? paint : { ...paint, width: paint.width * FINE },
  }));

const FLARES: ReadonlySet<string> = new Set(FLARE_SYMBOLS);

export function symbolImage(name: string, shapes: SymbolShapes): SpriteImage {
  const { halfWidth, halfHeight } = halfSizeOf(shapes);
  return {
    name,
    width: 2 * halfWidth,
    height: FLARES.has(name) ? halfHeight : 2 * halfHeight,
    kind: 'symbol',
    wraps: false,
    left: -halfWidth,
    top: -halfHeight,
    shapes,
  };
}

export function patternImage(name: PatternName, shapes = PATTERNS[name].shapes): SpriteImage {
  const { side, edges } = PATTERNS[name];
  const wraps = edges === 'wrap';
  return { name, width: side, height: side, kind: 'pattern', wraps, left: 0, top: 0, shapes };
}

/**
 * The shapes of the tile at all nine places around it, so that a shape that crosses an edge
 * continues at the opposite side.
 */
function repeated(content: string, side: number): string {
  return [-side, 0, side]
    .flatMap((y) =>
      [-side, 0, side].map((x) => `<g transform="translate(${x} ${y})">${content}</g>`),
    )
    .join('');
}
