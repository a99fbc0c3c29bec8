// Clips polygons with holes to boxes.

import { type Box, clipRing, type Flat } from './clip-box.ts';
import { doubleArea } from './ring.ts';
import { runAlongBorder } from './rings-in-box.ts';

/**
 * Clip an outer ring and its holes to a box; empty if nothing is left. If a hole surrounds the box,
 * nothing is left: the clipped outer ring and hole would be equal.
 */
export function clipPolygon(polygon: readonly Flat[], box: Box): Flat[] {
  const [outer, ...holes] = polygon;
  if (outer === undefined) return [];
  const ring = clipRing(outer, box);
  if (ring.length === 0) return [];
  const left = holes.map((hole) => clipRing(hole, box)).filter((hole) => hole.length > 0);
  if (left.length === 0) return [ring];
  const whole = Math.abs(doubleArea(ring));
  const taken = left.reduce((sum, hole) => sum + Math.abs(doubleArea(hole)), 0);
  const kept = [ring, ...left];
  // Along the border, areas differ only by the rounding of crossings.
  return taken >= (runAlongBorder(kept, box) ? whole / 2 : whole) ? [] : kept;
}
