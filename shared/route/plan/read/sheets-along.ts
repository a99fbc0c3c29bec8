// Sheets of the route archive that a trip will probably read. They depend only on position, so they
// can be read together before anything is known about the sea.

import { ancestor, type TileId } from '../../../geo/tile.ts';
import { FINE_SHEET_ZOOM, LAST_SHEET_ZOOM, MIDDLE_SHEET_ZOOM } from '../../sheets.ts';
import type { Position } from '../../trip.ts';
import {
  greatCircleMeters,
  metersPerCell,
  type Point,
  pathOf,
  WORLD_LEVEL,
} from '../geometry/plane.ts';
import { placesAlong, WHOLE_LEG_METERS } from './prefetch.ts';

/** Width of the strip on either side of a leg, as a part of its length, within the limits below. */
const BESIDE_PART = 1 / 4;
const LEAST_BESIDE_METERS = 4_000;
const MOST_BESIDE_METERS = 25_000;

export interface SheetsAlong {
  /** Tiles of MIDDLE_SHEET_ZOOM. */
  readonly middle: readonly TileId[];
  /** Tiles of LAST_SHEET_ZOOM, nearest to the path first. Each tile is in at most one sheet. */
  readonly fine: readonly TileId[];
}

/** @param waypoints at least one; every trip has one */
export function sheetsAlong(waypoints: readonly Position[]): SheetsAlong {
  const points = pathOf(waypoints);
  const width = 2 ** (WORLD_LEVEL - FINE_SHEET_ZOOM);
  const middle = new Map<string, TileId>();
  const middlePlaces = placesAlong(points, WHOLE_LEG_METERS[FINE_SHEET_ZOOM], width);
  for (const { tile } of around(middlePlaces, FINE_SHEET_ZOOM, width / 2)) {
    const above = ancestor(tile, MIDDLE_SHEET_ZOOM);
    middle.set(`${above.x}/${above.y}`, above);
  }
  const fineWidth = 2 ** (WORLD_LEVEL - LAST_SHEET_ZOOM);
  const finePlaces = placesAlong(points, WHOLE_LEG_METERS[11], fineWidth);
  const fine = around(finePlaces, LAST_SHEET_ZOOM, besideCells(points));
  fine.sort((a, b) => a.cells - b.cells);
  return { middle: [...middle.values()], fine: fine.map(({ tile }) => tile) };
}

/** Width of the strip on either side of the path, in cells. */
function besideCells(points: readonly Point[]): number {
  let beside = 0;
  for (const [i, point] of points.entries()) {
    const leg = greatCircleMeters(points[Math.max(0, i - 1)]!, point);
    const meters = Math.min(MOST_BESIDE_METERS, Math.max(LEAST_BESIDE_METERS, leg * BESIDE_PART));
    beside = Math.max(beside, meters / metersPerCell(point.y));
  }
  return beside;
}

interface NearTile {
  readonly tile: TileId;
  /** Distance from the nearest place. */
  readonly cells: number;
}

/** Tiles within a given number of cells of one of the places. */
function around(
  places: readonly (readonly [x: number, y: number])[],
  zoom: number,
  reachCells: number,
): NearTile[] {
  const side = 2 ** zoom;
  const width = 2 ** (WORLD_LEVEL - zoom);
  const found = new Map<string, NearTile>();
  for (const [x, y] of places) {
    const [left, right] = [x - reachCells, x + reachCells].map((at) => Math.floor(at / width));
    const [top, bottom] = [y - reachCells, y + reachCells].map((at) => Math.floor(at / width));
    for (let row = Math.max(0, top!); row <= Math.min(side - 1, bottom!); row++) {
      for (let column = left!; column <= right!; column++) {
        const dx = Math.max(column * width - x, 0, x - (column + 1) * width);
        const dy = Math.max(row * width - y, 0, y - (row + 1) * width);
        const cells = Math.hypot(dx, dy);
        if (cells > reachCells) continue;
        const tile = { z: zoom, x: ((column % side) + side) % side, y: row };
        const name = `${tile.x}/${tile.y}`;
        const known = found.get(name);
        if (known === undefined || cells < known.cells) found.set(name, { tile, cells });
      }
    }
  }
  return [...found.values()];
}
