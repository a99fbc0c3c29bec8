// The lock gate nearest to a waypoint in water that cannot be left: most locks are narrower than the
// cells of the search.

import { greatCircleMeters, type Point, positionOf, unwrapNear } from '../geometry/plane.ts';
import type { Water } from '../read/water.ts';
import { hazardGridOf } from '../sight/hazard-grid.ts';
import { distanceText, positionText } from '../warnings/texts.ts';

/** Maximum distance of the gate. */
const NEAREST_WITHIN_METERS = 20_000;

/** Sentences after a refusal; '' if no lock gate is near in the squares that were read. */
export function nearestLockText(water: Water, from: Point): string {
  let nearest: Point | undefined;
  let least = NEAREST_WITHIN_METERS;
  for (const { square } of water.readViews()) {
    const { hazards, ends } = hazardGridOf(square);
    for (let i = 0; i < hazards.count; i++) {
      // Other gates are closed: their depth is NaN.
      const isGate = hazards.features[hazards.feature[i]!]!.objectClass === 'GATCON';
      if (!isGate || Number.isNaN(hazards.depth[i]!)) continue;
      const at = { x: unwrapNear(ends[4 * i]!, from.x), y: ends[4 * i + 1]! };
      const meters = greatCircleMeters(from, at);
      if (meters >= least) continue;
      nearest = at;
      least = meters;
    }
  }
  if (nearest === undefined) return '';
  return ` The nearest lock gate in the chart is at ${positionText(positionOf(nearest))}, ${distanceText(least)} away. Most locks are too narrow for the search: plan one route to the lock and one from it.`;
}
