// Limits the size of a response so that a phone can store it. Above a maximum number of vertices,
// the farthest features are simplified and marked as simplified.

import type { DrawnShape } from './drawn-shape.ts';

/** Maximum number of vertices of a response in full resolution. */
const VERTEX_BUDGET = 20_000;
const SIMPLIFIED_BY_METERS = 1;

/**
 * The shape as it is kept for further responses. With more vertices than a response may contain, it is
 * always simplified.
 */
export const keptShape = (shape: DrawnShape, budget: number = VERTEX_BUDGET): DrawnShape =>
  shape.vertices > budget ? shape.withoutDetail(SIMPLIFIED_BY_METERS) : shape;

/**
 * The shapes in the given order, nearest first. They are unchanged if their vertices do not exceed
 * the budget. Otherwise, as few as possible are simplified, beginning with the farthest.
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
