// Areas that a trip is told to stay out of, asked for by blocks of cells as the sea itself is.

import { isPointInRing } from '../../geo/ring.ts';
import type { Position } from '../trip.ts';
import { BLOCKED, type BlockClass, FREE, MIXED } from './blocks.ts';
import { type Corridor, corridorOf, shifted, touchesBlock } from './corridor.ts';
import { type Point, pointOf, unwrapNear, WORLD_CELLS } from './plane.ts';

/** The border of an area is followed to this fraction of its width. */
const BORDER_FRACTION = 1024;

interface Area {
  /** x0, y0, x1, y1, … of each ring in cells, unwrapped. */
  readonly rings: readonly number[][];
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** Blocks on the border are not divided below this level. */
  readonly finest: number;
}

export class AvoidedAreas {
  readonly #areas: readonly Area[];

  constructor(polygons: readonly (readonly (readonly Position[])[])[]) {
    this.#areas = polygons.filter((rings) => rings.length > 0).map(areaOf);
  }

  classOf(level: number, x: number, y: number): BlockClass {
    const size = 1 << level;
    let kind: BlockClass = FREE;
    for (const area of this.#areas) {
      const [left, top, right, bottom] = area.box;
      if (y * size > bottom || (y + 1) * size < top) continue;
      const west = unwrapNear((x + 0.5) * size, (left + right) / 2) - size / 2;
      if (west > right || west + size < left) continue;
      const here = classIn(area, level, west, y * size, size);
      if (here === BLOCKED) return BLOCKED;
      if (here === MIXED) kind = MIXED;
    }
    return kind;
  }

  /** Whether a line touches an area. */
  meets(a: Point, b: Point): boolean {
    return this.#areas.some((area) => {
      const [left, , right] = area.box;
      const shift = unwrapNear(a.x, (left + right) / 2) - a.x;
      if (contains(area, a.x + shift, a.y)) return true;
      // The line may leave this copy of the world on either side.
      return [shift, shift - WORLD_CELLS, shift + WORLD_CELLS].some((dx) => {
        const line = shifted(corridorOf(a, b, 0), dx);
        return area.rings.some((ring) => crosses(ring, line));
      });
    });
  }
}

function areaOf(rings: readonly (readonly Position[])[]): Area {
  const outer = onPlane(rings[0]!, pointOf(rings[0]![0]!).x);
  const across = outer.filter((_, i) => i % 2 === 0);
  const middle = (Math.min(...across) + Math.max(...across)) / 2;
  const holes = rings.slice(1).map((ring) => onPlane(ring, middle));
  const flat = [outer, ...holes];
  const box: [number, number, number, number] = [WORLD_CELLS * 2, WORLD_CELLS, -WORLD_CELLS, 0];
  for (const ring of flat) {
    for (let i = 0; i < ring.length; i += 2) {
      box[0] = Math.min(box[0], ring[i]!);
      box[1] = Math.min(box[1], ring[i + 1]!);
      box[2] = Math.max(box[2], ring[i]!);
      box[3] = Math.max(box[3], ring[i + 1]!);
    }
  }
  const width = Math.max(box[2] - box[0], box[3] - box[1], 1);
  return {
    rings: flat,
    box,
    finest: Math.max(0, Math.floor(Math.log2(width / BORDER_FRACTION))),
  };
}

/**
 * A ring on the plane, x unwrapped, from the copy of its first corner that is nearest to an x. An edge of
 * half the world or less runs as its longitudes say, and so does one all the way round; any other takes
 * the shorter way, across 180°.
 */
function onPlane(ring: readonly Position[], nearX: number): number[] {
  const flat: number[] = [];
  for (const [i, position] of ring.entries()) {
    const { x, y } = pointOf(position);
    const before = ring[i - 1];
    if (before === undefined) {
      flat.push(unwrapNear(x, nearX), y);
      continue;
    }
    const degrees = position[0] - before[0];
    const isAsSaid = Math.abs(degrees) <= 180 || Math.abs(degrees) === 360;
    const east = isAsSaid ? degrees : degrees - 360 * Math.round(degrees / 360);
    flat.push(unwrapNear(x, flat.at(-2)! + (east / 360) * WORLD_CELLS), y);
  }
  return flat;
}

function classIn(area: Area, level: number, west: number, north: number, size: number): BlockClass {
  for (const ring of area.rings) {
    if (!touchesBox(ring, west, north, size)) continue;
    return level <= area.finest ? BLOCKED : MIXED;
  }
  return contains(area, west + size / 2, north + size / 2) ? BLOCKED : FREE;
}

function contains({ rings }: Area, x: number, y: number): boolean {
  return rings.filter((ring) => isPointInRing(x, y, ring)).length % 2 === 1;
}

function touchesBox(ring: readonly number[], west: number, north: number, size: number): boolean {
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const edge = { ax: ring[j]!, ay: ring[j + 1]!, bx: ring[i]!, by: ring[i + 1]!, room: 0 };
    if (touchesBlock(edge, west, north, size)) return true;
  }
  return false;
}

function crosses(ring: readonly number[], { ax, ay, bx, by }: Corridor): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number) =>
    Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [px, py, qx, qy] = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
    // Lines that lie in one line meet only where their boxes do.
    if (Math.max(px, qx) < Math.min(ax, bx) || Math.min(px, qx) > Math.max(ax, bx)) continue;
    if (Math.max(py, qy) < Math.min(ay, by) || Math.min(py, qy) > Math.max(ay, by)) continue;
    if (side(ax, ay, bx, by, px, py) * side(ax, ay, bx, by, qx, qy) > 0) continue;
    if (side(px, py, qx, qy, ax, ay) * side(px, py, qx, qy, bx, by) > 0) continue;
    return true;
  }
  return false;
}
