// Cuts a shape to every tile in which its owner has ground: descends the quadtree box by box and,
// on tiles with several owners, cuts to the owner's part.

import {
  type Box,
  boundsOf,
  boxesMeet,
  clipLine,
  type Flat,
  isInside,
} from '../../shared/geo/clip-box.ts';
import { groupRings, oriented, sideOfRings } from '../../shared/geo/ring.ts';
import { splitPolygon } from '../../shared/geo/split-polygon.ts';
import { QUARTERS } from '../../shared/geo/tile.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { inParts } from '../quilt/in-parts.ts';
import type { Frame } from './frame.ts';
import { ringsNear } from './rings-near.ts';
import { type Territory, type TilePart, tileKey } from './territory.ts';

/** Polygons of an outer ring and holes, or separate lines. */
export type Shape =
  | { readonly type: 'area'; readonly polygons: readonly (readonly Flat[])[] }
  | { readonly type: 'line'; readonly lines: readonly Flat[] };

type Emit = (tile: TilePart, shape: Shape) => void;

export const pathsOf = (shape: Shape): readonly Flat[] =>
  shape.type === 'area' ? shape.polygons.flat() : shape.lines;

export const isEmpty = (shape: Shape): boolean =>
  shape.type === 'area' ? shape.polygons.length === 0 : shape.lines.length === 0;

/** Cut a shape, in frame coordinates, to the tiles of the territory. */
export function cutShape(
  shape: Shape,
  frame: Frame,
  territory: Territory,
  clipper: Clipper,
  emit: Emit,
): void {
  const bounds = boundsOf(pathsOf(shape));
  if (!(bounds.left <= bounds.right)) return;
  let first = frame.columnAt(bounds.left - frame.buffer);
  let last = frame.columnAt(bounds.right + frame.buffer);
  let top = Math.max(0, frame.rowAt(bounds.top - frame.buffer));
  let bottom = Math.min(2 ** frame.zoom - 1, frame.rowAt(bounds.bottom + frame.buffer));
  let z = frame.zoom;
  while (z > 0 && (first !== last || top !== bottom)) {
    z--;
    first = Math.floor(first / 2);
    last = Math.floor(last / 2);
    top = Math.floor(top / 2);
    bottom = Math.floor(bottom / 2);
  }
  for (let column = first; column <= last; column++) {
    descend(z, column, top, shape, bounds);
  }

  function descend(level: number, column: number, row: number, part: Shape, box: Box): void {
    if (!territory.has(level, column, row)) return;
    const node = frame.box(level, column, row);
    if (!boxesMeet(box, node)) return;
    let kept = part;
    let keptBox = box;
    if (!isInside(box, node)) {
      kept = cutToBox(part, node);
      if (isEmpty(kept)) return;
      keptBox = boundsOf(pathsOf(kept));
    }
    if (level === frame.zoom) {
      const tile = territory.tiles.get(tileKey(column, row))!;
      const owned = cutToPart(kept, keptBox, tile, clipper);
      if (!isEmpty(owned)) emit(tile, owned);
      return;
    }
    for (const [dx, dy] of QUARTERS) {
      descend(level + 1, 2 * column + dx, 2 * row + dy, kept, keptBox);
    }
  }
}

function cutToBox(shape: Shape, box: Box): Shape {
  if (shape.type === 'line') {
    return { type: 'line', lines: shape.lines.flatMap((line) => clipLine(line, box)) };
  }
  const polygons = shape.polygons.flatMap((polygon) =>
    isInside(boundsOf([polygon[0]!]), box) ? [polygon] : splitPolygon(polygon, box),
  );
  return { type: 'area', polygons };
}

const NOTHING: Shape = { type: 'line', lines: [] };

function cutToPart(shape: Shape, bounds: Box, tile: TilePart, clipper: Clipper): Shape {
  if (tile.rings === undefined) return shape;
  if (tile.box !== undefined) {
    return isInside(bounds, tile.box) ? shape : cutToBox(shape, tile.box);
  }
  const near = ringsNear(tile.rings, bounds);
  if (!bordersMeet(near, bounds)) {
    const [x, y] = pathsOf(shape)[0]!;
    return sideOfRings(x!, y!, near) >= 0 ? shape : NOTHING;
  }
  if (shape.type === 'line') {
    return { type: 'line', lines: clipper.linesWithin(shape.lines, near) };
  }
  const rings = orientedRings(shape.polygons);
  return { type: 'area', polygons: groupRings(inParts(clipper.intersection)(rings, near)) };
}

/** The rings of polygons, wound as the clipper requires. */
export const orientedRings = (polygons: readonly (readonly Flat[])[]): Flat[] =>
  polygons.flatMap((polygon) => polygon.map((ring, i) => oriented(ring, i === 0)));

/**
 * Whether an edge of the part comes near the box. If not, the box is entirely inside or outside.
 */
export function bordersMeet(rings: readonly Flat[], box: Box): boolean {
  for (const ring of rings) {
    const n = ring.length;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const x0 = ring[j]!;
      const y0 = ring[j + 1]!;
      const x1 = ring[i]!;
      const y1 = ring[i + 1]!;
      if (
        Math.min(x0, x1) <= box.right &&
        Math.max(x0, x1) >= box.left &&
        Math.min(y0, y1) <= box.bottom &&
        Math.max(y0, y1) >= box.top
      ) {
        return true;
      }
    }
  }
  return false;
}
