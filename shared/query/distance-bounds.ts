// How far a box of the grid is from the middle of a circle, at least and at most: told by the scale of
// the circle's latitudes alone, for all that is too far, or plainly near enough, to be measured.
//
// Along any way between two of those latitudes a degree is no shorter than where degrees are shortest,
// and no longer than where they are longest. A geodesic to a place in the circle stays within it, so
// the least scale bounds it from below; the way that is straight in degrees is no shorter than the
// geodesic, so the greatest scale bounds it from above.

import { metersPerDegree } from '../geo/geodesic.ts';
import type { CircleView } from './circle.ts';
import { GRID } from './record.ts';

/** Beside what the two scales differ by: far more than the rounding of the arithmetic. */
const SLACK = 0.001;

export class DistanceBounds {
  readonly #x: number;
  readonly #y: number;
  readonly #least: { readonly north: number; readonly east: number };
  readonly #most: { readonly north: number; readonly east: number };

  constructor({ x, y, box }: CircleView) {
    this.#x = x;
    this.#y = y;
    const south = box.top / GRID;
    const north = box.bottom / GRID;
    const farthest = metersPerDegree(Math.max(Math.abs(south), Math.abs(north)));
    const nearest = metersPerDegree(
      south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north)),
    );
    // Northward degrees grow towards the poles, eastward ones shrink.
    this.#least = scaled({ north: nearest.north, east: farthest.east }, 1 - SLACK);
    this.#most = scaled({ north: farthest.north, east: nearest.east }, 1 + SLACK);
  }

  /** Metres to the nearest place of the box, or less: of those places that the circle may reach. */
  atLeast(left: number, top: number, right: number, bottom: number): number {
    const east = Math.max(left - this.#x, this.#x - right, 0) * this.#least.east;
    const north = Math.max(top - this.#y, this.#y - bottom, 0) * this.#least.north;
    return Math.sqrt(east * east + north * north);
  }

  /** Metres to the farthest place of the box, or more. */
  atMost(left: number, top: number, right: number, bottom: number): number {
    const east = Math.max(right - this.#x, this.#x - left) * this.#most.east;
    const north = Math.max(bottom - this.#y, this.#y - top) * this.#most.north;
    return Math.sqrt(east * east + north * north);
  }
}

/** Metres of a degree to metres of a unit of the grid. */
const scaled = ({ north, east }: { north: number; east: number }, factor: number) => ({
  north: (north * factor) / GRID,
  east: (east * factor) / GRID,
});
