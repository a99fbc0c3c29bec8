// The tiles of one zoom in which an owner has ground, and its part of each: all of the tile, or a
// part to which features must be cut. Found by descending the quadtree with the owned face.

import { type Box, boundsOf, clipRing, type Flat } from '../../shared/geo/clip-box.ts';
import { coverNothing, shareOfBox } from '../../shared/geo/rings-in-box.ts';
import { QUARTERS } from '../../shared/geo/tile.ts';
import type { IsMade } from '../quilt/made-tiles.ts';
import type { Frame } from './frame.ts';

export interface TilePart {
  readonly column: number;
  readonly row: number;
  /** The owned part within the buffered tile; `undefined` if all of it is owned. */
  readonly rings: readonly Flat[] | undefined;
  /** Set if the part is a plain box, as for most modern cells. */
  readonly box: Box | undefined;
}

export interface Territory {
  readonly tiles: ReadonlyMap<number, TilePart>;
  /** Whether the territory has tiles in the tile z/x/y of a lower zoom. */
  readonly has: (z: number, column: number, row: number) => boolean;
}

/** Columns exceed the world by at most one world in either direction. */
const COLUMN_OFFSET = 2 ** 17;

export const tileKey = (column: number, row: number): number =>
  (column + COLUMN_OFFSET) * 2 ** 17 + row;

/** @param rings the owned face in frame coordinates, outer rings positive */
export function territoryOf(rings: readonly Flat[], frame: Frame, isMade: IsMade): Territory {
  const tiles = new Map<number, TilePart>();
  const present = Array.from({ length: frame.zoom + 1 }, () => new Set<number>());

  /** @param part undefined if all is owned */
  const visit = (
    z: number,
    column: number,
    row: number,
    part: readonly Flat[] | undefined,
  ): boolean => {
    if (row < 0 || row >= 2 ** z || !isMade(frame.zoom, z, column, row)) return false;
    const box = frame.box(z, column, row);
    const kept = part === undefined ? undefined : cut(part, box);
    if (kept !== undefined && kept.length === 0) return false;
    const whole = kept === undefined || isWhole(kept, box) ? undefined : kept;
    let found = false;
    if (z === frame.zoom) {
      tiles.set(tileKey(column, row), { column, row, rings: whole, box: boxOf(whole) });
      found = true;
    } else {
      for (const [dx, dy] of QUARTERS) {
        if (visit(z + 1, 2 * column + dx, 2 * row + dy, whole)) found = true;
      }
    }
    if (found) present[z]!.add(tileKey(column, row));
    return found;
  };

  const bounds = boundsOf(rings);
  const size = 2 ** frame.zoom;
  const first = Math.floor(frame.columnAt(bounds.left - frame.buffer) / size);
  const last = Math.floor(frame.columnAt(bounds.right + frame.buffer) / size);
  for (let column = first; column <= last; column++) {
    if (rings.length > 0) visit(0, column, 0, rings);
  }
  return { tiles, has: (z, column, row) => present[z]!.has(tileKey(column, row)) };
}

/** Empty even if a hole of the face contains the whole box. */
function cut(rings: readonly Flat[], box: Box): Flat[] {
  const kept = rings.map((ring) => clipRing(ring, box)).filter((ring) => ring.length > 0);
  return kept.length > 1 && coverNothing(kept, box) ? [] : kept;
}

const isWhole = (rings: readonly Flat[], box: Box): boolean => shareOfBox(rings, box) >= 1;

/** The part as a box, if it has four corners and sides parallel to the axes. */
function boxOf(rings: readonly Flat[] | undefined): Box | undefined {
  if (rings === undefined || rings.length !== 1 || rings[0]!.length !== 8) return undefined;
  const ring = rings[0]!;
  for (let i = 0; i < 8; i += 2) {
    const nextX = ring[(i + 2) % 8]!;
    const nextY = ring[(i + 3) % 8]!;
    if (ring[i] !== nextX && ring[i + 1] !== nextY) return undefined;
  }
  return boundsOf(rings);
}
