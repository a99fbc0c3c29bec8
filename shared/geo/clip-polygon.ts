// Polygons cut to boxes, holes and all.

import { type Box, clipRing, type Flat } from './clip-box.ts';
import { doubleArea } from './ring.ts';
import { runAlongBorder } from './rings-in-box.ts';

/**
 * An outer ring and its holes cut to a box; empty where nothing is left. A hole that reaches around
 * the whole box leaves nothing: outer ring and hole would be the same.
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
  // Along the border alone, areas differ by the rounding of crossings.
  return taken >= (runAlongBorder(kept, box) ? whole / 2 : whole) ? [] : kept;
}
