// Distances from the centre of a circle to places, lines and areas. Segments are straight between
// their coordinates (RFC 7946, section 3.1.1).

import type { Flat } from '../geo/clip-box.ts';
import { geodesicMeters, metersPerDegree } from '../geo/geodesic.ts';
import type { CircleView } from './circle.ts';
import { DistanceBounds } from './distance-bounds.ts';
import { GRID } from './record.ts';

/** Longer segments are measured in pieces. This is a fifth of a degree. */
const PIECE_UNITS = 0.2 * GRID;
/** The search for the nearest place ends if the remaining segment is at most this long. */
const SHORT_METERS = 400;
const MAX_ROUNDS = 6;

/** Measures distances from the centre of a view. */
export class Nearness {
  readonly view: CircleView;
  readonly bounds: DistanceBounds;
  readonly radiusMeters: number;
  readonly #longitude: number;
  readonly #latitude: number;

  constructor(view: CircleView, radiusMeters: number) {
    this.view = view;
    this.bounds = new DistanceBounds(view);
    this.#longitude = view.x / GRID;
    this.#latitude = view.y / GRID;
    this.radiusMeters = radiusMeters;
  }

  /** Geodesic distance to a place on the grid, metres. */
  toPoint(x: number, y: number): number {
    return geodesicMeters(this.#longitude, this.#latitude, x / GRID, y / GRID);
  }

  /** Distance to the nearest line; Infinity if the circle does not reach a line. */
  toLines(lines: readonly Flat[]): number {
    let best = Number.POSITIVE_INFINITY;
    for (const line of lines) {
      const last = line.length - 2;
      if (last === 0) best = Math.min(best, this.toPoint(line[0]!, line[1]!));
      for (let i = 0; i < last; i += 2) {
        best = this.#nearer(best, line[i]!, line[i + 1]!, line[i + 2]!, line[i + 3]!);
      }
    }
    return best;
  }

  /** Distance to an area; 0 inside. */
  toArea(polygons: readonly (readonly Flat[])[]): number {
    const { x, y } = this.view;
    let best = Number.POSITIVE_INFINITY;
    for (const rings of polygons) {
      let inside = false;
      for (const ring of rings) {
        const n = ring.length;
        let ax = ring[n - 2]!;
        let ay = ring[n - 1]!;
        for (let i = 0; i < n; i += 2) {
          const bx = ring[i]!;
          const by = ring[i + 1]!;
          if (by > y !== ay > y && x < ((ax - bx) * (y - by)) / (ay - by) + bx) inside = !inside;
          best = this.#nearer(best, ax, ay, bx, by);
          ax = bx;
          ay = by;
        }
      }
      if (inside) return 0;
    }
    return best;
  }

  /** The minimum of a known distance and the distance to a segment. */
  #nearer(known: number, x0: number, y0: number, x1: number, y1: number): number {
    const { left, right, top, bottom } = this.view.box;
    if (x0 < left && x1 < left) return known;
    if (x0 > right && x1 > right) return known;
    if (y0 < top && y1 < top) return known;
    if (y0 > bottom && y1 > bottom) return known;
    const least = this.bounds.atLeast(
      Math.min(x0, x1),
      Math.min(y0, y1),
      Math.max(x0, x1),
      Math.max(y0, y1),
    );
    if (least > known) return known;
    const pieces = Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) / PIECE_UNITS);
    if (pieces <= 1) return this.#nearerPiece(known, x0, y0, x1, y1);
    let best = known;
    for (let i = 0; i < pieces; i++) {
      const from = i / pieces;
      const to = (i + 1) / pieces;
      best = this.#nearerPiece(
        best,
        x0 + (x1 - x0) * from,
        y0 + (y1 - y0) * from,
        x0 + (x1 - x0) * to,
        y0 + (y1 - y0) * to,
      );
    }
    return best;
  }

  /**
   * Finds the nearest place on a plane, with the scale at the middle latitude between the centre
   * and each end. The error is at most the bend of the segment. The search is repeated with a new
   * plane for a shorter piece around the place. The plane only locates the place. The distance is
   * geodesic.
   */
  #nearerPiece(known: number, x0: number, y0: number, x1: number, y1: number): number {
    let [ax, ay, bx, by] = [x0, y0, x1, y1];
    for (let round = 0; ; round++) {
      const startNorth = this.#north(ay);
      const startEast = this.#east(ax, ay);
      const dn = this.#north(by) - startNorth;
      const de = this.#east(bx, by) - startEast;
      const squared = dn * dn + de * de;
      const along = -(startNorth * dn + startEast * de);
      const t = squared === 0 ? 0 : Math.max(0, Math.min(1, along / squared));
      const gap = Math.hypot(startNorth + t * dn, startEast + t * de);
      // At charted latitudes, a segment of 22 km bends less than a hundredth from its plane.
      const slack = 1 + 0.02 * Math.sqrt(squared) + 0.001 * gap;
      if (gap - slack > Math.min(known, this.radiusMeters)) return known;
      const isShort = squared <= SHORT_METERS * SHORT_METERS || round === MAX_ROUNDS;
      if (isShort) {
        return Math.min(known, this.toPoint(ax + (bx - ax) * t, ay + (by - ay) * t));
      }
      const from = Math.max(0, t - 0.1);
      const to = Math.min(1, t + 0.1);
      [ax, ay, bx, by] = [
        ax + (bx - ax) * from,
        ay + (by - ay) * from,
        ax + (bx - ax) * to,
        ay + (by - ay) * to,
      ];
    }
  }

  #north(y: number): number {
    const middle = (this.#latitude + y / GRID) / 2;
    return (y / GRID - this.#latitude) * metersPerDegree(middle).north;
  }

  #east(x: number, y: number): number {
    const middle = (this.#latitude + y / GRID) / 2;
    return (x / GRID - this.#longitude) * metersPerDegree(middle).east;
  }
}
