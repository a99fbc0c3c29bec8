// Squares that a trip will certainly read. They are requested level by level before the search
// starts, so that it does not stop for each of them. The search requests other squares as needed.

import { cellTable, entryAt } from '../../cell-table.ts';
import { SEA_ZOOMS, type Sea, type SquareId } from '../../sea.ts';
import {
  greatCircle,
  greatCircleMeters,
  type Point,
  WORLD_CELLS,
  WORLD_LEVEL,
} from '../geometry/plane.ts';
import type { Detail } from './detail.ts';
import type { Needs } from './needs.ts';
import { isStored, type SquareRequests } from './square-requests.ts';

/** Squares of a zoom are read along legs up to this length, and near waypoints on longer legs. */
export const WHOLE_LEG_METERS: Readonly<Record<(typeof SEA_ZOOMS)[number], number>> = {
  2: Number.POSITIVE_INFINITY,
  5: 2_000_000,
  8: 2_000_000,
  11: 200_000,
  14: 15_000,
};
/** Part of a square's width that is read on either side of the line. */
const BESIDE = 0.5;
/** If a level has more squares than this, the search reads them itself. */
const MOST_AT_ONCE = 400;

export function* prefetch(
  sea: Sea,
  needs: Needs,
  waypoints: readonly Point[],
): SquareRequests<void> {
  for (const zoom of SEA_ZOOMS) {
    const width = 2 ** (WORLD_LEVEL - zoom);
    const wanted = new Map<string, SquareId>();
    for (const [x, y] of placesAlong(waypoints, WHOLE_LEG_METERS[zoom], width)) {
      for (const dy of [-BESIDE, 0, BESIDE]) {
        for (const dx of [-BESIDE, 0, BESIDE]) {
          const across = ((Math.floor(x / width + dx) % 2 ** zoom) + 2 ** zoom) % 2 ** zoom;
          const down = Math.floor(y / width + dy);
          if (down < 0 || down >= 2 ** zoom) continue;
          const id = { z: zoom, x: across, y: down };
          if (isWanted(sea, needs, id)) wanted.set(`${across}/${down}`, id);
        }
      }
    }
    if (wanted.size > 0 && wanted.size <= MOST_AT_ONCE) yield [...wanted.values()];
  }
}

/** Requests the squares on a line near the ends of a trip, for the last check, level by level. */
export function* readAlong(sea: Sea, line: readonly Point[], near: Detail): SquareRequests<void> {
  for (const zoom of SEA_ZOOMS.slice(2)) {
    const width = 2 ** (WORLD_LEVEL - zoom);
    const wanted = new Map<string, SquareId>();
    for (const [x, y] of placesAlong(line, Number.POSITIVE_INFINITY, width)) {
      const across = ((Math.floor(x / width) % 2 ** zoom) + 2 ** zoom) % 2 ** zoom;
      const id = { z: zoom, x: across, y: Math.floor(y / width) };
      if (!near.isNear(Math.floor(x / width) * width, id.y * width, width)) continue;
      if (sea.square(zoom, id.x, id.y) === undefined && isStored(sea, id)) {
        wanted.set(`${id.x}/${id.y}`, id);
      }
    }
    if (wanted.size > 0 && wanted.size <= MOST_AT_ONCE) yield [...wanted.values()];
  }
}

/** Whether a square is stored and not present yet, and the coarser square is not sufficient. */
function isWanted(sea: Sea, needs: Needs, { z, x, y }: SquareId): boolean {
  if (sea.square(z, x, y) !== undefined) return false;
  const i = SEA_ZOOMS.indexOf(z);
  if (i === 0) return true;
  const coarser = sea.square(SEA_ZOOMS[i - 1]!, x >> 3, y >> 3);
  const part = (y & 7) * 8 + (x & 7);
  if (coarser === undefined || coarser.hasFiner[part] !== 1) return false;
  const cells = cellTable(coarser);
  const { least, most, clearance, anyFlags } = cells;
  const entry = entryAt(cells, 5, part);
  if (most[entry]! < needs.depthCode) return false;
  return (
    least[entry]! < needs.depthCode ||
    clearance[entry]! < needs.clearanceCode ||
    (anyFlags[entry]! & needs.forbidden) !== 0
  );
}

/**
 * Places on the path, several per width, as x and y in cells: all waypoints, and all legs up to a
 * given length in metres.
 */
export function placesAlong(
  waypoints: readonly Point[],
  wholeLegMeters: number,
  width: number,
): (readonly [number, number])[] {
  const places = waypoints.map(({ x, y }) => [x, y] as const);
  for (let i = 1; i < waypoints.length; i++) {
    const from = waypoints[i - 1]!;
    if (greatCircleMeters(from, waypoints[i]!) > wholeLegMeters) continue;
    let before = from;
    for (const point of greatCircle(from, waypoints[i]!)) {
      const dx = point.x - before.x;
      const dy = point.y - before.y;
      const steps = Math.min(WORLD_CELLS, Math.ceil((2 * Math.hypot(dx, dy)) / width));
      for (let k = 1; k < steps; k++) {
        places.push([before.x + (dx * k) / steps, before.y + (dy * k) / steps]);
      }
      before = point;
    }
  }
  return places;
}
