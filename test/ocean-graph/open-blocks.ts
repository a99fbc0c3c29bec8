// The blocks of the world, 4.9 km wide at the equator, that are water throughout according to the sea
// of a build, and lines over them.

import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { CANALS } from '../../shared/route/passages.ts';
import { FREE } from '../../shared/route/plan/geometry/blocks.ts';
import {
  greatCircle,
  type Point,
  unwrapNear,
  WORLD_LEVEL,
} from '../../shared/route/plan/geometry/plane.ts';
import { TOP_LEVEL } from '../../shared/route/plan/read/water.ts';
import { searchContext } from '../../shared/route/plan/search/find-path.ts';
import { NODE_LEVEL } from '../../shared/route/plan/search/ocean-graph.ts';
import type { Sea } from '../../shared/route/sea.ts';
import { tripOf } from '../support/route/trips.ts';

/** Blocks around the world. */
export const ACROSS = 2 ** (WORLD_LEVEL - NODE_LEVEL);
const SIZE = 2 ** NODE_LEVEL;

/** The islands of the demo charts, which do not exist: west, south, east, north. */
const DEMO = [-26, -34, -14, -26] as const;

export const columnAt = (longitude: number): number => Math.floor(mercatorX(longitude) * ACROSS);
export const rowAt = (latitude: number): number => Math.floor(mercatorY(latitude) * ACROSS);

export class OpenBlocks {
  readonly #isOpen = new Uint8Array(ACROSS * ACROSS);
  readonly top: number;
  readonly bottom: number;

  /** @param latitudes blocks outside these are closed */
  constructor(sea: Sea, [south, north]: readonly [number, number]) {
    this.top = rowAt(north);
    this.bottom = rowAt(south);
    const trip = tripOf([[0, 0]], {
      safety: { lateralClearance: 10, allowUnknownDepth: true },
      options: { latitudeLimits: [-85, 85], canals: new Set(CANALS) },
    });
    const { water } = searchContext(trip, sea, 1);
    const visit = (level: number, x: number, y: number): void => {
      const kind = water.classOf(level, x, y);
      if (kind === FREE) this.#fill(x, y, level - NODE_LEVEL);
      else if (level > NODE_LEVEL) {
        for (let k = 0; k < 4; k++) visit(level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));
      }
    };
    for (let k = 0; k < 16; k++) visit(TOP_LEVEL, k & 3, k >> 2);
    const [west, demoSouth, east, demoNorth] = DEMO;
    for (let y = rowAt(demoNorth); y <= rowAt(demoSouth); y++) {
      this.#isOpen.fill(1, y * ACROSS + columnAt(west), y * ACROSS + columnAt(east));
    }
  }

  has(x: number, y: number): boolean {
    if (y < this.top || y > this.bottom) return false;
    return this.#isOpen[y * ACROSS + (x & (ACROSS - 1))] === 1;
  }

  /** Whether all blocks that a straight line touches are open. Coordinates are in blocks. */
  isClear(ax: number, ay: number, bx: number, by: number): boolean {
    let [x, y] = [Math.floor(ax), Math.floor(ay)];
    const [dx, dy] = [bx - ax, by - ay];
    const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
    let nextX = dx === 0 ? Number.POSITIVE_INFINITY : ((dx > 0 ? x + 1 : x) - ax) / dx;
    let nextY = dy === 0 ? Number.POSITIVE_INFINITY : ((dy > 0 ? y + 1 : y) - ay) / dy;
    for (let left = Math.abs(Math.floor(bx) - x) + Math.abs(Math.floor(by) - y); ; left--) {
      if (!this.has(x, y)) return false;
      if (left <= 0) return true;
      if (Math.abs(nextX - nextY) < 1e-9) {
        // The line passes a corner: the blocks on both sides count too.
        if (!this.has(x + stepX, y) || !this.has(x, y + stepY)) return false;
        x += stepX;
        nextX += Math.abs(1 / dx);
        left--;
        y += stepY;
        nextY += Math.abs(1 / dy);
      } else if (nextX < nextY) {
        x += stepX;
        nextX += Math.abs(1 / dx);
      } else {
        y += stepY;
        nextY += Math.abs(1 / dy);
      }
    }
  }

  /** Whether all blocks on the great circle between two points of the plane are open. */
  see(from: Point, to: Point): boolean {
    let before = from;
    for (const point of greatCircle(from, { x: unwrapNear(to.x, from.x), y: to.y })) {
      const [a, b] = [before, point];
      if (!this.isClear(a.x / SIZE, a.y / SIZE, b.x / SIZE, b.y / SIZE)) return false;
      before = point;
    }
    return true;
  }

  #fill(x: number, y: number, levels: number): void {
    const side = 2 ** levels;
    for (let row = y * side; row < (y + 1) * side; row++) {
      this.#isOpen.fill(1, row * ACROSS + x * side, row * ACROSS + (x + 1) * side);
    }
  }
}
