// The isolate's own memory of large shapes: decoded, written out and simplified once, as neighbours
// are asked about again and again. Bounded by vertices; the longest unused go first.

import { DrawnShape } from '../../shared/query/drawn-shape.ts';
import type { WholeShape } from '../../shared/query/geometry-text.ts';

/** With their texts and simplified twins these take some thirty megabytes. */
const MAX_VERTICES = 250_000;
/** Smaller ones are made faster than they are kept. */
const LEAST_VERTICES = 40;

/** A cache named as one; keys hold the build id, so old builds leave by themselves. */
const shapes = new Map<string, DrawnShape>();
let held = 0;

/** The shape of a key, or the one that is made now. */
export function drawnShape(key: string, make: () => WholeShape): DrawnShape {
  const known = shapes.get(key);
  if (known !== undefined) {
    shapes.delete(key);
    shapes.set(key, known);
    return known;
  }
  const drawn = new DrawnShape(make());
  if (drawn.vertices < LEAST_VERTICES || drawn.vertices > MAX_VERTICES / 2) return drawn;
  shapes.set(key, drawn);
  held += drawn.vertices;
  for (const [oldKey, old] of shapes) {
    if (held <= MAX_VERTICES) break;
    shapes.delete(oldKey);
    held -= old.vertices;
  }
  return drawn;
}
