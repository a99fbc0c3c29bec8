// Parses z, x and y of a tile path.

import type { TileId } from '../geo/tile.ts';
import { isTileInRange } from '../geo/tile.ts';

/** ASCII digits without a sign, leading zeros or an exponent. */
const WHOLE = /^(0|[1-9]\d{0,9})$/;

type TilePathFault = 'syntax' | 'zoom' | 'range';

/** The tile or its fault. Zooms above `maxZoom` or below `minZoom` are faults. */
export function parseTilePath(
  z: string,
  x: string,
  y: string,
  minZoom: number,
  maxZoom: number,
): TileId | TilePathFault {
  if (!WHOLE.test(z) || !WHOLE.test(x) || !WHOLE.test(y)) return 'syntax';
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  if (tile.z < minZoom || tile.z > maxZoom) return 'zoom';
  return isTileInRange(tile) ? tile : 'range';
}
