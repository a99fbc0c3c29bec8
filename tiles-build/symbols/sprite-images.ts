// Each symbol and pattern as an image: its size in whole pixels and its SVG in a theme's colours.

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
   * A symbol's middle is its charted position, but of a flare, which stands on it; a pattern has none,
   * and tiles.
   */
  readonly kind: 'symbol' | 'pattern';
  /** Whether what crosses an edge comes back in on the other side. */
  readonly wraps: boolean;
  /** Left top corner of the image in the coordinates of the shapes. */
  readonly left: number;
  readonly top: number;
  readonly shapes: SymbolShapes;
}

/** Strokes of rocks in the theme that draws them finer, as part of their width elsewhere. */
const FINE = 0.72;
const ROCKS: ReadonlySet<string> = new Set(['UWTROC03', 'UWTROC04']);

/** Every image of a theme's sprite, sorted by name. Images of a name are as large in every theme. */
export function spriteImages(theme: Theme): SpriteImage[] {
  const symbols = [...drawnSymbols()].map(([name, shapes]) => {
    const image = symbolImage(name, shapes);
    return theme === 'yacht' && ROCKS.has(name) ? { ...image, shapes: thinner(shapes) } : image;
  });
  const patterns = PATTERN_SYMBOLS.map((name) => patternImage(name));
  return [...symbols, ...patterns].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * An image as a nested SVG element whose corner is at `x`, `y` of the outer one, `ratio` pixels to
 * a pixel. Clipped to its box, so that no neighbour is touched.
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

/** The tile's shapes on all nine places of its surroundings: what crosses an edge comes back in. */
function repeated(content: string, side: number): string {
  return [-side, 0, side]
    .flatMap((y) =>
      [-side, 0, side].map((x) => `<g transform="translate(${x} ${y})">${content}</g>`),
    )
    .join('');
}
