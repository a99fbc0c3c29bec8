// Bodies of marks with bands or stripes of colour: an outline is cut into slices.

import type { BuoyColorSuffix } from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { type Point, polygon, type Shape } from './shape.ts';

export type Direction = 'bands' | 'stripes';

/**
 * Slices of equal height (bands, from the top) or width (stripes, from the left) that together fill
 * the outline.
 */
export function slices(
  outline: readonly Point[],
  colors: readonly ColorToken[],
  direction: Direction = 'bands',
): Shape[] {
  const axis = direction === 'bands' ? 1 : 0;
  const values = outline.map((point) => point[axis]);
  const [from, to] = [Math.min(...values), Math.max(...values)];
  return colors.map((fill, index) => {
    const at = (part: number) => from + ((to - from) * part) / colors.length;
    const piece = cut(cut(outline, axis, at(index), 1), axis, at(index + 1), -1);
    return polygon(piece, { fill });
  });
}

/** By letters. Black bodies stay black in themes with light ink, because black bands would look grey. */
const COLORS: Readonly<Record<string, ColorToken>> = {
  B: 'OUTLW',
  G: 'CHGRN',
  O: 'CHCOR',
  R: 'CHRED',
  W: 'CHWHT',
  Y: 'CHYLW',
};
const STRIPES: Readonly<Record<string, readonly ColorToken[]>> = {
  RW: ['CHRED', 'CHWHT', 'CHRED'],
  UY: ['RESBL', 'CHYLW', 'RESBL', 'CHYLW'],
};

/** The slices of a body in the colours of a suffix (see BUOY_COLOR_SUFFIXES). */
export function colored(outline: readonly Point[], suffix: BuoyColorSuffix): Shape[] {
  const stripes = STRIPES[suffix];
  if (stripes !== undefined) return slices(outline, stripes, 'stripes');
  return slices(
    outline,
    [...suffix].map((letter) => COLORS[letter]!),
  );
}

/** A body with its edge. */
export function body(
  outline: readonly Point[],
  colors: readonly ColorToken[],
  edge: ColorToken,
  direction: Direction = 'bands',
): Shape[] {
  return [...slices(outline, colors, direction), polygon(outline, { stroke: edge, width: 1 })];
}

/** The part of an outline on one side of a level (Sutherland and Hodgman's step). */
function cut(outline: readonly Point[], axis: 0 | 1, level: number, side: 1 | -1): Point[] {
  const inside = (point: Point) => (point[axis] - level) * side >= 0;
  return outline.flatMap((point, index): Point[] => {
    const before = outline.at(index - 1) as Point;
    const crossing =
      inside(point) === inside(before) ? [] : [crossingOf(before, point, axis, level)];
    return inside(point) ? [...crossing, point] : crossing;
  });
}

function crossingOf(a: Point, b: Point, axis: 0 | 1, level: number): Point {
  const part = (level - a[axis]) / (b[axis] - a[axis]);
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
}
