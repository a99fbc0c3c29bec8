// Keeps an answer to a size that a phone can hold: beyond a number of vertices the farthest features
// are simplified, and say so.

import { simplified, verticesOf, type WholeShape } from './geometry-text.ts';

/** So many vertices an answer has in full resolution. */
export const VERTEX_BUDGET = 20_000;
export const SIMPLIFIED_BY_METERS = 1;

export interface FittedShape {
  readonly shape: WholeShape;
  readonly isSimplified: boolean;
}

/**
 * Shapes in the order given, nearest first. While all of them have no more vertices than the budget
 * they stay as they are; else the farthest are simplified, as few as bring the sum below it.
 */
export function fitAnswer(
  shapes: readonly WholeShape[],
  budget: number = VERTEX_BUDGET,
): readonly FittedShape[] {
  const fitted: FittedShape[] = shapes.map((shape) => ({ shape, isSimplified: false }));
  let vertices = shapes.reduce((sum, shape) => sum + verticesOf(shape), 0);
  for (let i = shapes.length - 1; i >= 0 && vertices > budget; i--) {
    const whole = shapes[i]!;
    if (whole.type === 'point') continue;
    const shape = simplified(whole, SIMPLIFIED_BY_METERS);
    const saved = verticesOf(whole) - verticesOf(shape);
    if (saved === 0) continue;
    fitted[i] = { shape, isSimplified: true };
    vertices -= saved;
  }
  return fitted;
}
