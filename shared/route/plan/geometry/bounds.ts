// The latitude limits of a trip, and the areas that it must avoid.

import { openPassages } from '../../passage-limits.ts';
import type { Passage } from '../../passages.ts';
import type { Trip } from '../../trip.ts';
import { AvoidedAreas } from './avoided-areas.ts';
import { type Point, pathOf, pointOf, WORLD_CELLS } from './plane.ts';

/** Where the search may not go, in addition to the sea itself. Heights of the plane, in cells. */
export interface Bounds {
  readonly north: number;
  readonly south: number;
  readonly areas: AvoidedAreas | undefined;
  /** Squares in which the vessel may enter corridors of the background. */
  readonly passages: readonly Spot[];
}

/** A square of the plane. */
export interface Spot extends Point {
  /** Half its width, in cells. */
  readonly half: number;
}

/** Limits lie on borders of blocks of 4.9 km, so that no search follows them cell by cell. */
const BLOCK_CELLS = 512;

/** A limit does not apply if a waypoint lies beyond it. */
export function boundsOf(trip: Trip): Bounds {
  const { waypoints, options } = trip;
  const [south, north] = options.latitudeLimits;
  const isNorthKept = waypoints.every(([, latitude]) => latitude <= north);
  const isSouthKept = waypoints.every(([, latitude]) => latitude >= south);
  const { avoidAreas } = options;
  return {
    north: isNorthKept ? onPlane(Math.floor(pointOf([0, north]).y / BLOCK_CELLS)) : 0,
    south: isSouthKept ? onPlane(Math.ceil(pointOf([0, south]).y / BLOCK_CELLS)) : WORLD_CELLS,
    areas: avoidAreas.length > 0 ? new AvoidedAreas(avoidAreas) : undefined,
    passages: openPassages(trip).map(spotOf),
  };
}

/** The square around a passage. */
function spotOf({ line }: Passage): Spot {
  const points = pathOf(line);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right, top, bottom] = [
    Math.min(...xs),
    Math.max(...xs),
    Math.min(...ys),
    Math.max(...ys),
  ];
  const half = Math.max(right - left, bottom - top) / 2 + BLOCK_CELLS;
  return { x: (left + right) / 2, y: (top + bottom) / 2, half };
}

/** The border of a block. Rounding can put the ends of the plane slightly outside it. */
const onPlane = (block: number): number => Math.max(0, Math.min(WORLD_CELLS, block * BLOCK_CELLS));
