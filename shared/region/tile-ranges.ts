// Converts a box to ranges of tile ids. Below one tile, the ids of a zoom are consecutive on the
// Hilbert curve (PMTiles v3, section 4.1), so a box is only a few ranges.

import type { GeoBounds } from '../chart/bounds.ts';
import { mercatorX, mercatorY } from '../geo/mercator.ts';
import { QUARTERS, type TileId } from '../geo/tile.ts';
import { idsBelow } from '../pmtiles/tile-ids.ts';

/** Tile ids in [from, to) of one zoom. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
  /** If present, only ids in these columns and rows of the archive belong to the range. */
  readonly within?: readonly TileSpan[];
}

/** Columns and rows of a zoom, both ends inclusive. */
export interface TileSpan {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The tiles of a zoom that a box overlaps; two spans across 180°. */
export function spansOf([west, south, east, north]: GeoBounds, zoom: number): TileSpan[] {
  const size = 2 ** zoom;
  const within = (tile: number) => Math.min(Math.max(tile, 0), size - 1);
  const top = within(Math.floor(mercatorY(north) * size));
  const bottom = Math.max(top, within(Math.ceil(mercatorY(south) * size) - 1));
  const sides =
    west > east ? [[west, 180] as const, [-180, east] as const] : [[west, east] as const];
  return sides.map(([start, end]) => {
    const left = within(Math.floor(mercatorX(start) * size));
    const right = Math.max(left, within(Math.ceil(mercatorX(end) * size) - 1));
    return { left, right, top, bottom };
  });
}

/** Whether a box overlaps a tile. */
export const isInBox = (bounds: GeoBounds, tile: TileId): boolean =>
  isInSpans(spansOf(bounds, tile.z), tile.x, tile.y);

export const isInSpans = (spans: readonly TileSpan[], x: number, y: number): boolean =>
  spans.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);

/** A world of tiles within a larger archive. The query archive contains several. */
export interface World {
  readonly zoom: number;
  /** The tile in the archive for a tile of this world. */
  readonly place: (tile: TileId) => TileId;
}

/** The ids of a box's tiles in some worlds, ascending and unique. */
export function idRanges(bounds: GeoBounds, worlds: readonly World[]): IdRange[] {
  const found: IdRange[] = [];
  for (const world of worlds) addRanges(world, spansOf(bounds, world.zoom), found);
  found.sort((a, b) => a.from - b.from);
  const merged: IdRange[] = [];
  for (const range of found) {
    const last = merged.at(-1);
    const joins = last?.to === range.from && last.within === undefined && !range.within;
    if (joins) merged[merged.length - 1] = { from: last.from, to: range.to };
    else merged.push(range);
  }
  return merged;
}

/** The chart's tiles from zoom 0 to `maxZoom`. */
export const plainWorlds = (maxZoom: number): World[] =>
  Array.from({ length: maxZoom + 1 }, (_, zoom) => ({ zoom, place: (tile) => tile }));

/** Maximum number of border tiles that are checked one by one; above it, coarser tiles are used. */
const MAX_BORDER_TILES = 1000;

/** The deepest zoom at which the border does not exceed this number. */
function borderZoom(spans: readonly TileSpan[], zoom: number): number {
  const border = spans.reduce(
    (sum, { left, right, top, bottom }) => sum + 2 * (right - left + bottom - top + 2),
    0,
  );
  return Math.max(0, zoom - Math.max(0, Math.ceil(Math.log2(border / MAX_BORDER_TILES))));
}

function addRanges(world: World, spans: readonly TileSpan[], found: IdRange[]): void {
  const deepest = borderZoom(spans, world.zoom);
  const origin = world.place({ z: world.zoom, x: 0, y: 0 });
  const within = spans.map(({ left, right, top, bottom }) => ({
    left: left + origin.x,
    right: right + origin.x,
    top: top + origin.y,
    bottom: bottom + origin.y,
  }));
  const visit = (z: number, x: number, y: number): void => {
    const below = 2 ** (world.zoom - z);
    const [left, top] = [x * below, y * below];
    const [right, bottom] = [left + below - 1, top + below - 1];
    const touching = spans.filter(
      (span) =>
        span.left <= right && span.right >= left && span.top <= bottom && span.bottom >= top,
    );
    if (touching.length === 0) return;
    const isWhole = touching.some(
      (span) =>
        span.left <= left && span.right >= right && span.top <= top && span.bottom >= bottom,
    );
    if (isWhole || z === deepest) {
      const ids = idsBelow(world.place({ z, x, y }), world.zoom - z);
      found.push(isWhole ? ids : { ...ids, within });
      return;
    }
    for (const [dx, dy] of QUARTERS) visit(z + 1, 2 * x + dx, 2 * y + dy);
  };
  visit(0, 0, 0);
}
