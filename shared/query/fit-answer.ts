// Keeps an answer to a size that a phone can hold: beyond a number of vertices the farthest features
// are simplified, and say so.

import type { DrawnShape } from './drawn-shape.ts';

/** So many vertices an answer has in full resolution. */
const VERTEX_BUDGET = 20_000;
const SIMPLIFIED_BY_METERS = 1;

/**
 * Shapes in the order given, nearest first. While all of them have no more vertices than the budget
 * they stay as they are; else the farthest are simplified, as few as bring the sum below it.
 */
export function fitAnswer(
  shapes: readonly DrawnShape[],
  budget: number = VERTEX_BUDGET,
): readonly DrawnShape[] {
  const fitted = [...shapes];
  let vertices = shapes.reduce((sum, shape) => sum + shape.vertices, 0);
  for (let i = shapes.length - 1; i >= 0 && vertices > budget; i--) {
    const less = shapes[i]!.simplifiedTo(SIMPLIFIED_BY_METERS);
    const saved = shapes[i]!.vertices - less.vertices;
    if (saved === 0) continue;
    fitted[i] = less;
    vertices -= saved;
  }
  return fitted;
}
