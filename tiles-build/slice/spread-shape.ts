// Spreads a shape over the buckets that it touches. Lines and boundaries of areas are cut to each
// bucket; the inside of an area is described by one reference position per bucket. The distance to
// the parts equals the distance to the whole shape, because no edges are added.

import {
  type Box,
  boundsOf,
  boxesMeet,
  clipLine,
  type Flat,
  isInside,
} from '../../shared/geo/clip-box.ts';
import { isPointInRing } from '../../shared/geo/ring.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import type { Shape } from './cut-shape.ts';
import { childrenOf, type QueryLeaves } from './query-leaves.ts';

/** The part in one bucket; for areas with a reference position and whether the area contains it. */
interface ShapePart {
  readonly tile: TileId;
  readonly box: Box;
  readonly lines: readonly Flat[];
  readonly reference:
    | { readonly x: number; readonly y: number; readonly inside: boolean }
    | undefined;
}

/** Parts of a shape by bucket; empty if the shape only touches the owner's ground. */
export function spreadShape(shape: Shape, leaves: QueryLeaves): ShapePart[] {
  const rings = shape.type === 'area' ? shape.polygons.flat() : [];
  const lines =
    shape.type === 'area' ? rings.map((ring) => [...ring, ring[0]!, ring[1]!]) : shape.lines;
  const bounds = boundsOf(lines);
  const parts: ShapePart[] = [];
  const holds = (x: number, y: number): boolean =>
    rings.reduce((inside, ring) => inside !== isPointInRing(x, y, ring), false);

  /** @param covered whether a larger box lies entirely within the area */
  const visit = (tile: TileId, given: readonly Flat[], covered: boolean): void => {
    const kind = leaves.kindOf(tile);
    const box = leaves.boxOf(tile);
    if (kind === undefined || !boxesMeet(bounds, box)) return;
    const kept = isInside(boundsOf(given), box) ? given : cutLines(given, box);
    const isCovered = covered || (kept.length === 0 && holds(middleX(box), middleY(box)));
    if (kept.length === 0 && !isCovered) return;
    if (kind === 'above') {
      for (const child of childrenOf(tile)) visit(child, kept, isCovered);
      return;
    }
    const reference =
      shape.type === 'line'
        ? undefined
        : isCovered
          ? { x: middleX(box), y: middleY(box), inside: true }
          : referenceIn(box, kept, holds);
    parts.push({ tile, box, lines: kept.map(rounded), reference });
  };
  visit({ z: 0, x: 0, y: 0 }, lines, false);
  return parts;
}

const middleX = ({ left, right }: Box): number => Math.round((left + right) / 2);
const middleY = ({ top, bottom }: Box): number => Math.round((top + bottom) / 2);

/** Pieces with a length; lines along the border of a bucket are kept in both buckets. */
function cutLines(lines: readonly Flat[], box: Box): Flat[] {
  return lines
    .flatMap((line) => (boxesMeet(boundsOf([line]), box) ? clipLine(line, box) : []))
    .filter((line) => line.length >= 4);
}

const rounded = (path: Flat): Flat => path.map(Math.round);

/**
 * Candidates for the reference position, as fractions of the box; it must not lie on a boundary.
 */
const TRIED = [0.5, 0.317, 0.683, 0.191, 0.809, 0.412, 0.588, 0.073, 0.927] as const;
/**
 * Distance from a boundary at which rounding does not matter, in grid units: a tenth of a metre.
 */
const CLEAR_UNITS = 10;

function referenceIn(
  box: Box,
  lines: readonly Flat[],
  holds: (x: number, y: number) => boolean,
): NonNullable<ShapePart['reference']> {
  let best = { x: middleX(box), y: middleY(box), clearance: -1 };
  for (const across of TRIED) {
    for (const down of TRIED) {
      const x = Math.round(box.left + (box.right - box.left) * across);
      const y = Math.round(box.top + (box.bottom - box.top) * down);
      const clearance = clearanceOf(x, y, lines);
      if (clearance > best.clearance) best = { x, y, clearance };
      if (clearance > CLEAR_UNITS) return { x, y, inside: holds(x, y) };
    }
  }
  return { x: best.x, y: best.y, inside: holds(best.x, best.y) };
}

function clearanceOf(x: number, y: number, lines: readonly Flat[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    for (let i = 2; i < line.length; i += 2) {
      const dx = line[i]! - line[i - 2]!;
      const dy = line[i + 1]! - line[i - 1]!;
      const length = dx * dx + dy * dy;
      const along = (x - line[i - 2]!) * dx + (y - line[i - 1]!) * dy;
      const t = length === 0 ? 0 : Math.max(0, Math.min(1, along / length));
      const gap = Math.hypot(x - line[i - 2]! - t * dx, y - line[i - 1]! - t * dy);
      if (gap < least) least = gap;
    }
  }
  return least;
}
