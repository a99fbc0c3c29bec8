// Items cut to the ground around a node of the quadtree, so that a square is painted only with the
// parts that it needs. The cuts lie outside the node and are never visible in its square.

import {
  type Box,
  boundsOf,
  boxesMeet,
  clipLine,
  clipRing,
  type Flat,
  isInside,
} from '../../shared/geo/clip-box.ts';
import { isPointInRing } from '../../shared/geo/ring.ts';
import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import { SQUARE_CELLS } from '../../shared/route/sea.ts';
import { bordersMeet } from '../slice/cut-shape.ts';
import { gridUnits, type RouteItem } from './item.ts';

/** An item with the data that cutting needs. */
export interface CutItem {
  readonly item: RouteItem;
  readonly paths: readonly Flat[];
  readonly box: Box;
  /** Whether it is an area that covers the node and its surroundings, with no border there. */
  readonly isWhole: boolean;
}

export function uncut(item: RouteItem): CutItem {
  return { item, paths: item.paths, box: boundsOf(item.paths), isWhole: false };
}

/** The ground of a node, on the hazard grid. */
export function boxOfNode(z: number, x: number, y: number): Box {
  const side = HAZARD_GRID / 2 ** z;
  return { left: x * side, right: (x + 1) * side, top: y * side, bottom: (y + 1) * side };
}

/** The part of an item that is in a node or reaches into it; `undefined` if it is empty. */
export function cutToNode(cut: CutItem, z: number, x: number, y: number): CutItem | undefined {
  const node = boxOfNode(z, x, y);
  const around = cutBoxOf(z, x, y, cut.item.effect.radius);
  if (!boxesMeet(cut.box, around)) return undefined;
  if (cut.isWhole) return cut;
  const paths = isInside(cut.box, around) ? cut.paths : pathsWithin(cut, around);
  if (paths.length === 0) return undefined;
  const { item } = cut;
  if (item.shape !== 'area' || bordersMeet(paths, reach(node, item.effect.radius))) {
    return { item, paths, box: boundsOf(paths), isWhole: false };
  }
  // No border is near: the node is entirely inside or outside, so testing its centre is sufficient.
  const middle = { x: (node.left + node.right) / 2, y: (node.top + node.bottom) / 2 };
  return isWithin(middle.x, middle.y, paths)
    ? { item, paths: [], box: around, isWhole: true }
    : undefined;
}

function isWithin(x: number, y: number, rings: readonly Flat[]): boolean {
  return rings.reduce((inside, ring) => inside !== isPointInRing(x, y, ring), false);
}

/** The ground from which a border with its radius reaches the node. */
function reach(node: Box, radiusMeters: number): Box {
  return grown(
    node,
    1 + (radiusMeters === 0 ? 0 : 1.01 * gridUnits(radiusMeters, polewardRow(node))),
  );
}

/** One cell larger than `reach`, so that cuts stay outside the painted ground. */
export function cutBoxOf(z: number, x: number, y: number, radiusMeters: number): Box {
  const node = boxOfNode(z, x, y);
  const { left, right, top, bottom } = reach(node, radiusMeters);
  const cell = (node.right - node.left) / SQUARE_CELLS;
  return {
    left: Math.floor(left - cell),
    right: Math.ceil(right + cell),
    top: Math.floor(top - cell),
    bottom: Math.ceil(bottom + cell),
  };
}

/** Whether a segment runs along a side of a box, as the cuts of `cutToNode` do. */
export function isOnBox(
  { left, right, top, bottom }: Box,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): boolean {
  return (
    (ax === bx && (ax === left || ax === right)) || (ay === by && (ay === top || ay === bottom))
  );
}

/** The row at which a metre has the most units. */
function polewardRow({ top, bottom }: Box): number {
  const isSouth = Math.abs(bottom - HAZARD_GRID / 2) > Math.abs(top - HAZARD_GRID / 2);
  return isSouth ? bottom : top;
}

function grown({ left, right, top, bottom }: Box, by: number): Box {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

function pathsWithin({ item, paths }: CutItem, box: Box): readonly Flat[] {
  switch (item.shape) {
    case 'area':
      return paths.map((ring) => clipRing(ring, box)).filter((ring) => ring.length > 0);
    case 'line':
      return paths.flatMap((line) => clipLine(line, box));
    case 'point':
      return paths.filter((point) => boxesMeet(boundsOf([point]), box));
  }
}
