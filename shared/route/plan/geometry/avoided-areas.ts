// Areas that a trip must avoid. They are classified by blocks of cells, like the sea.

import { EARTH_RADIUS_METERS } from '../../../geo/earth.ts';
import { isPointInRing } from '../../../geo/ring.ts';
import type { Position } from '../../trip.ts';
import { AreaTree } from './area-tree.ts';
import { BLOCKED, type BlockClass, FREE, MIXED } from './blocks.ts';
import { type Corridor, corridorOf, shifted } from './corridor.ts';
import { type Point, pointOf, unwrapNear, WORLD_CELLS } from './plane.ts';

/** The border of an area is resolved to this fraction of its width, next to waypoints to a cell. */
const BORDER_FRACTION = 1024;

interface Area {
  /** x0, y0, x1, y1, … of each ring, in cells, unwrapped. */
  readonly rings: readonly number[][];
  readonly tree: AreaTree;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** Blocks on the border are not divided below this level, except next to waypoints. */
  readonly finest: number;
}

export class AvoidedAreas {
  readonly #areas: readonly Area[];
  readonly #waypoints: readonly Point[];

  constructor(
    polygons: readonly (readonly (readonly Position[])[])[],
    waypoints: readonly Point[] = [],
  ) {
    this.#waypoints = waypoints;
    const wanted = polygons.flat().reduce((sum, ring) => sum + piecesWanted(ring), 0);
    const share = Math.min(1, MOST_PIECES / wanted);
    this.#areas = polygons
      .filter((rings) => rings.length > 0)
      .map((rings) => areaOf(rings.map((ring) => laidOut(ring, share))));
  }

  classOf(level: number, x: number, y: number): BlockClass {
    const size = 1 << level;
    let kind: BlockClass = FREE;
    for (const area of this.#areas) {
      const [left, top, right, bottom] = area.box;
      if (y * size > bottom || (y + 1) * size < top) continue;
      const west = unwrapNear((x + 0.5) * size, (left + right) / 2) - size / 2;
      if (west > right || west + size < left) continue;
      const here = classIn(area, this.#waypoints, level, west, y * size);
      if (here === BLOCKED) return BLOCKED;
      if (here === MIXED) kind = MIXED;
    }
    return kind;
  }

  /** Number of edges compared with blocks: a measure of work. */
  get compared(): number {
    let sum = 0;
    for (const { tree } of this.#areas) sum += tree.compared;
    return sum;
  }

  /** Whether a line touches an area. */
  meets(a: Point, b: Point): boolean {
    return this.#areas.some((area) => {
      const [left, , right] = area.box;
      const shift = unwrapNear(a.x, (left + right) / 2) - a.x;
      // An area that reaches around the globe repeats on both sides.
      const copies = [shift, shift - WORLD_CELLS, shift + WORLD_CELLS].filter(
        (by) => Math.max(a.x, b.x) + by >= left && Math.min(a.x, b.x) + by <= right,
      );
      return copies.some(
        (by) =>
          contains(area.rings, a.x + by, a.y) ||
          area.rings.some((ring) => crosses(ring, shifted(corridorOf(a, b, 0), by))),
      );
    });
  }
}

/** @param rings x0, y0, x1, y1, … */
function areaOf([outer, ...holes]: readonly number[][]): Area {
  const middle = middleOf(boxOf(outer!));
  // A hole lies within its exterior ring, whichever turn of the globe its longitudes are given in.
  const placed = holes.map((hole) => {
    const at = middleOf(boxOf(hole));
    const shift = unwrapNear(at, middle) - at;
    return hole.map((value, i) => (i % 2 === 0 ? value + shift : value));
  });
  const flat = [outer!, ...placed];
  const box = boxOf(flat.flat());
  const width = Math.max(box[2] - box[0], box[3] - box[1], 1);
  return {
    rings: flat,
    tree: new AreaTree(flat.flatMap(edgesOf), width),
    box,
    finest: Math.max(0, Math.floor(Math.log2(width / BORDER_FRACTION))),
  };
}

/** Maximum distance of an edge's pieces from the line that is straight in degrees. */
const MOST_BOW_METERS = 1;
/** Maximum number of pieces of all edges, plus one for each edge. If more are wanted, all are longer. */
const MOST_PIECES = 4096;
/** Limit of the plane. */
const MOST_LATITUDE = 85.06;

/**
 * x0, y0, x1, y1, …, each corner on the copy of the world to which its edge leads. Edges are straight
 * in degrees (RFC 7946, 3.1.1), so they are split into pieces that are nearly straight on the plane.
 *
 * @param share part of the wanted pieces
 */
function laidOut(ring: readonly Position[], share: number): number[] {
  const laid: number[] = [];
  let [from, fromX] = [ring[0]!, pointOf(ring[0]!).x];
  for (const to of ring) {
    const x = endOf(fromX, to);
    const count = Math.max(1, Math.ceil(share * piecesOf(from, to, x - fromX)));
    for (let i = 1; i < count; i++) {
      const latitude = from[1] + ((to[1] - from[1]) * i) / count;
      laid.push(fromX + ((x - fromX) * i) / count, pointOf([0, latitude]).y);
    }
    laid.push(x, pointOf(to).y);
    [from, fromX] = [to, x];
  }
  return laid;
}

/** The unwrapped x of the end of an edge. */
function endOf(fromX: number, to: Position): number {
  const { x } = pointOf(to);
  return isAroundGlobe(x - fromX) ? x : unwrapNear(x, fromX);
}

function piecesWanted(ring: readonly Position[]): number {
  return ring.reduce((sum, to, i) => {
    const from = ring[i - 1] ?? to;
    const { x } = pointOf(from);
    return sum + piecesOf(from, to, endOf(x, to) - x);
  }, 0);
}

/** The least number of pieces that all stay within the allowed distance from the edge. */
function piecesOf([, south]: Position, [, north]: Position, cells: number): number {
  const latitude = radians(Math.min(MOST_LATITUDE, Math.max(Math.abs(south), Math.abs(north))));
  const up = radians(north - south);
  const along = radians((cells / WORLD_CELLS) * 360);
  if (up === 0 || along === 0) return 1;
  const cross = Math.abs(along) / Math.hypot(along, up / Math.cos(latitude));
  const bow = (EARTH_RADIUS_METERS * Math.tan(latitude) * up ** 2 * cross) / 8;
  return Math.max(1, Math.ceil(Math.sqrt(bow / MOST_BOW_METERS)));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * Whether an edge is used exactly as its longitudes are given, although another way is no longer:
 * an edge of half the globe, or of all of it. Other edges go the shorter way.
 */
const isAroundGlobe = (cells: number): boolean => {
  const turns = Math.abs(cells) / WORLD_CELLS;
  return Math.abs(turns - 0.5) < SAME_TURN || Math.abs(turns - 1) < SAME_TURN;
};
const SAME_TURN = 1e-9;

type Box = [left: number, top: number, right: number, bottom: number];

function boxOf(ring: readonly number[]): Box {
  const box: Box = [Number.POSITIVE_INFINITY, WORLD_CELLS, Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < ring.length; i += 2) {
    box[0] = Math.min(box[0], ring[i]!);
    box[1] = Math.min(box[1], ring[i + 1]!);
    box[2] = Math.max(box[2], ring[i]!);
    box[3] = Math.max(box[3], ring[i + 1]!);
  }
  return box;
}

const middleOf = ([left, , right]: Box): number => (left + right) / 2;

function classIn(
  { tree, finest }: Area,
  waypoints: readonly Point[],
  level: number,
  west: number,
  north: number,
): BlockClass {
  const content = tree.contentOf(level, west, north);
  if (content !== 'border') return content === 'inside' ? BLOCKED : FREE;
  const isDivided =
    level > finest || (level > 0 && waypoints.some((at) => isBeside(at, finest, west, north)));
  return isDivided ? MIXED : BLOCKED;
}

/** Whether a place is in the block of a level around a cell, or in a neighbour of that block. */
function isBeside({ x, y }: Point, level: number, west: number, north: number): boolean {
  const block = (value: number) => Math.floor(value / 2 ** level);
  const columns = block(unwrapNear(x, west)) - block(west);
  return Math.abs(columns) <= 1 && Math.abs(block(y) - block(north)) <= 1;
}

function contains(rings: readonly number[][], x: number, y: number): boolean {
  return rings.filter((ring) => isPointInRing(x, y, ring)).length % 2 === 1;
}

function edgesOf(ring: readonly number[]): Corridor[] {
  const edges: Corridor[] = [];
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    edges.push({ ax: ring[j]!, ay: ring[j + 1]!, bx: ring[i]!, by: ring[i + 1]!, halfWidth: 0 });
  }
  return edges;
}

function crosses(ring: readonly number[], { ax, ay, bx, by }: Corridor): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number) =>
    Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [px, py, qx, qy] = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
    // Collinear segments meet only if their boxes do.
    if (Math.max(px, qx) < Math.min(ax, bx) || Math.min(px, qx) > Math.max(ax, bx)) continue;
    if (Math.max(py, qy) < Math.min(ay, by) || Math.min(py, qy) > Math.max(ay, by)) continue;
    if (side(ax, ay, bx, by, px, py) * side(ax, ay, bx, by, qx, qy) > 0) continue;
    if (side(px, py, qx, qy, ax, ay) * side(px, py, qx, qy, bx, by) > 0) continue;
    return true;
  }
  return false;
}
