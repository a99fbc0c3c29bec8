// The path parameters and refusals that all tile endpoints share.

import * as z from 'zod';
import { parseTilePath } from '../../../shared/contract/tile-path.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { type Access, type AppContext, type Parameter, pathParameter } from '../http/endpoint.ts';
import { type ApiError, badTile, planRequired } from '../runtime/errors.ts';

const whole = z.number().int().nonnegative();

export const TILE_PARAMETERS: readonly Parameter[] = [
  { name: 'z', in: 'path', description: 'Zoom', schema: whole, required: true, example: 14 },
  {
    name: 'x',
    in: 'path',
    description: 'Column from the west, below 2^z',
    schema: whole,
    required: true,
    example: 7282,
  },
  {
    name: 'y',
    in: 'path',
    description: 'Row from the north, below 2^z',
    schema: whole,
    required: true,
    example: 9623,
  },
];

/** Deepest zoom of tiles that are cut from their ancestors on request. */
export const MAX_DATA_ZOOM = 22;

/** Who may have the data tiles: where the deployment says so, the enterprise plan alone. */
export const DATA_TILE_ACCESS: Access = {
  kind: 'token',
  scope: 'tiles',
  gate: (caller, settings) => {
    if (settings.enterpriseGate && caller.plan !== 'enterprise') throw planRequired();
  },
};

/** The tile of a request. @throws ApiError 400 (or what `refuse` makes) naming what is wrong */
export function tileOf(
  c: AppContext,
  suffix: string,
  minZoom: number,
  maxZoom: number,
  refuse: (message: string) => ApiError = badTile,
): TileId {
  const tile = parseTilePath(
    pathParameter(c, 'z'),
    pathParameter(c, 'x'),
    pathParameter(c, 'y', suffix),
    minZoom,
    maxZoom,
  );
  if (tile === 'syntax') throw refuse('z, x and y are whole numbers in decimal digits.');
  if (tile === 'zoom') throw refuse(`z is from ${minZoom} to ${maxZoom} here.`);
  if (tile === 'range') throw refuse('x and y are from 0 to 2^z - 1.');
  return tile;
}
