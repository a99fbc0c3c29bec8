// The latitude limits of a trip, and the areas that it must avoid.

import type { Trip } from '../../trip.ts';
import { AvoidedAreas } from './avoided-areas.ts';
import { pointOf, WORLD_CELLS } from './plane.ts';

/** Where the search may not go, in addition to the sea itself. Heights of the plane, in cells. */
export interface Bounds {
  readonly north: number;
  readonly south: number;
  readonly areas: AvoidedAreas | undefined;
}

/** Limits lie on borders of blocks of 4.9 km, so that no search follows them cell by cell. */
const BLOCK_CELLS = 512;

/** A limit does not apply if a waypoint lies beyond it. */
export function boundsOf({ waypoints, options }: Trip): Bounds {
  const [south, north] = options.latitudeLimits;
  const isNorthKept = waypoints.every(([, latitude]) => latitude <= north);
  const isSouthKept = waypoints.every(([, latitude]) => latitude >= south);
  const { avoidAreas } = options;
  return {
    north: isNorthKept ? onPlane(Math.floor(pointOf([0, north]).y / BLOCK_CELLS)) : 0,
    south: isSouthKept ? onPlane(Math.ceil(pointOf([0, south]).y / BLOCK_CELLS)) : WORLD_CELLS,
    areas: avoidAreas.length > 0 ? new AvoidedAreas(avoidAreas) : undefined,
  };
}

/** The border of a block. Rounding can put the ends of the plane slightly outside it. */
const onPlane = (block: number): number => Math.max(0, Math.min(WORLD_CELLS, block * BLOCK_CELLS));
