// Lower and upper bounds of the distance from a circle's centre to a box on the grid. They depend
// only on the scale at the circle's latitudes. Boxes that are too far away or clearly near enough
// need not be measured.
//
// Between the circle's southern and northern limit, the length of a degree has a minimum and a
// maximum. A geodesic to a place in the circle stays in the circle, so the minimum scale gives a
// lower bound. The line that is straight in degrees is at least as long as the geodesic, so the
// maximum scale gives an upper bound.

import { metersPerDegree } from '../geo/geodesic.ts';
import type { CircleView } from './circle.ts';
import { GRID } from './record.ts';

/** Relative margin in addition to the difference of the scales: far more than rounding errors. */
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
    // Towards the poles, degrees of latitude become longer and degrees of longitude shorter.
    this.#least = scaled({ north: nearest.north, east: farthest.east }, 1 - SLACK);
    this.#most = scaled({ north: farthest.north, east: nearest.east }, 1 + SLACK);
  }

  /** Lower bound in metres of the distance to the places of the box that the circle may reach. */
  atLeast(left: number, top: number, right: number, bottom: number): number {
    const east = Math.max(left - this.#x, this.#x - right, 0) * this.#least.east;
    const north = Math.max(top - this.#y, this.#y - bottom, 0) * this.#least.north;
    return Math.sqrt(east * east + north * north);
  }

  /** Upper bound in metres of the distance to all places of the box. */
  atMost(left: number, top: number, right: number, bottom: number): number {
    const east = Math.max(right - this.#x, this.#x - left) * this.#most.east;
    const north = Math.max(bottom - this.#y, this.#y - top) * this.#most.north;
    return Math.sqrt(east * east + north * north);
  }
}

/** Converts metres per degree to metres per unit of the grid. */
const scaled = ({ north, east }: { north: number; east: number }, factor: number) => ({
  north: (north * factor) / GRID,
  east: (east * factor) / GRID,
});
