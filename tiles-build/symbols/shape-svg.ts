// Converts shapes to SVG text in the colours of a theme, and computes the space that they need
// around their pivot.

import type { Palette } from '../../shared/style/palette.ts';
import type { Paint, Shape, SymbolShapes } from './shape.ts';

/** Half the width and height of an image whose centre is the pivot, in whole pixels. */
interface HalfSize {
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/**
 * The image is centred on the pivot, because sprites have no other anchor. So a symbol is placed
 * and rotated about its charted position in every client without an offset.
 */
export function halfSizeOf(shapes: SymbolShapes): HalfSize {
  let [halfWidth, halfHeight] = [1, 1];
  for (const { steps, paint } of shapes) {
    const margin = paint.stroke === undefined ? 0 : (paint.width ?? 1) / 2;
    for (const [x, y] of steps.flatMap((step) => step.points)) {
      halfWidth = Math.max(halfWidth, Math.abs(x) + margin);
      halfHeight = Math.max(halfHeight, Math.abs(y) + margin);
    }
  }
  const roomy = (half: number) => Math.ceil(half - 1e-6);
  return { halfWidth: roomy(halfWidth), halfHeight: roomy(halfHeight) };
}

export function shapesToSvg(shapes: SymbolShapes, palette: Palette): string {
  return shapes.map((shape) => shapeToSvg(shape, palette)).join('');
}

function shapeToSvg({ steps, paint }: Shape, palette: Palette): string {
  const data = steps
    .map(({ command, points }) => command + points.map(([x, y]) => `${short(x)} ${short(y)}`))
    .join('');
  return `<path d="${data}"${attributesOf(paint, palette)}/>`;
}

function attributesOf(paint: Paint, palette: Palette): string {
  const values: readonly (readonly [string, string | number | undefined])[] = [
    ['fill', paint.fill === undefined ? 'none' : palette[paint.fill]],
    ['stroke', paint.stroke === undefined ? undefined : palette[paint.stroke]],
    ['stroke-width', paint.stroke === undefined ? undefined : strokeWidth(paint)],
    ['stroke-dasharray', paint.dash?.join(' ')],
    ['stroke-linecap', paint.stroke === undefined || paint.butt ? undefined : 'round'],
    ['stroke-linejoin', paint.stroke === undefined ? undefined : 'round'],
    // `opacity` would create a layer for each shape, on which resvg 2.6 panics outside of the
    // canvas.
    ['fill-opacity', paint.fill === undefined ? undefined : paint.opacity],
    ['stroke-opacity', paint.stroke === undefined ? undefined : paint.opacity],
  ];
  return values
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${value}"`]))
    .join('');
}

/**
 * At a width of one pixel or less resvg draws hairlines, which are too faint if they are slanted.
 */
function strokeWidth({ width = 1 }: Paint): number {
  return Math.max(1.01, width);
}

/**
 * Rounds to thousandths of a pixel: finer differences are invisible, and sines differ between
 * machines.
 */
function short(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return String(rounded === 0 ? 0 : rounded);
}
