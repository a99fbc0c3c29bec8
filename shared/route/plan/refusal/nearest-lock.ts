// The lock gate nearest to a waypoint in water that cannot be left: most locks are narrower than the
// cells of the search.

import { type HazardFeature, SEA_FLAGS } from '../../sea.ts';
import { greatCircleMeters, type Point, positionOf, unwrapNear } from '../geometry/plane.ts';
import { isUnsafe } from '../read/needs.ts';
import type { Water } from '../read/water.ts';
import { hazardGridOf } from '../sight/hazard-grid.ts';
import { distanceText, positionText } from '../warnings/texts.ts';

const isGate = ({ objectClass }: HazardFeature): boolean => objectClass === 'GATCON';

/** Maximum distance of the gate. */
const NEAREST_WITHIN_METERS = 20_000;

/**
 * Sentences after a refusal; '' if the squares that were read have no lock gate nearby that is safe for
 * the vessel, or if the trip avoids locks.
 */
export function nearestLockText(water: Water, from: Point): string {
  if ((water.needs.forbidden & SEA_FLAGS.lock) !== 0) return '';
  let nearest: Point | undefined;
  let least = NEAREST_WITHIN_METERS;
  for (const { square } of water.readViews()) {
    if (!square.hazards.features.some(isGate)) continue;
    const { hazards, ends } = hazardGridOf(square);
    for (let i = 0; i < hazards.count; i++) {
      if (!isGate(hazards.features[hazards.feature[i]!]!)) continue;
      // Closed gates, sills that are too shallow, and bridges that are too low.
      if (isUnsafe(hazards, i, water.needs)) continue;
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
