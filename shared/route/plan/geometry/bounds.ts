// How far north and south a trip may go, and the areas it is told to stay out of.

import type { Trip } from '../../trip.ts';
import { AvoidedAreas } from './avoided-areas.ts';
import { pointOf, WORLD_CELLS } from './plane.ts';

/** Where the search may not go besides what the sea says. Heights of the plane, in cells. */
export interface Bounds {
  readonly north: number;
  readonly south: number;
  readonly areas: AvoidedAreas | undefined;
}

/** Limits lie on the borders of blocks of 4.9 km, so that no search follows them cell by cell. */
const BLOCK_CELLS = 512;

/** A limit does not count where a waypoint lies beyond it. */
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

/** The border of a block; rounding may put the ends of the plane just beyond it. */
const onPlane = (block: number): number => Math.max(0, Math.min(WORLD_CELLS, block * BLOCK_CELLS));
