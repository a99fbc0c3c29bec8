// Path parameters and errors of all tile endpoints.

import * as z from 'zod';
import { parseTilePath } from '../../../shared/contract/tile-path.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { type Access, type AppContext, type Parameter, pathParameter } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import type { RefusalCode } from '../runtime/refusals.ts';

const whole = z.number().int().nonnegative();
/** The columns and rows of the largest zoom of any tileset. */
const place = whole.max(2 ** 22 - 1);

/** @param minZoom as text, for the reference */
export const tileParameters = (maxZoom: number, minZoom = '0'): readonly Parameter[] => [
  {
    name: 'z',
    in: 'path',
    description: `Zoom level, ${minZoom} to ${maxZoom}`,
    schema: whole.max(maxZoom),
    required: true,
    example: 14,
  },
  {
    name: 'x',
    in: 'path',
    description: 'Column, 0 to 2^z - 1, from the west',
    schema: place,
    required: true,
    example: 7282,
  },
  {
    name: 'y',
    in: 'path',
    description: 'Row, 0 to 2^z - 1, from the north',
    schema: place,
    required: true,
    example: 9623,
  },
];

/** Maximum zoom of tiles that are cut from a parent tile on request. */
export const MAX_DATA_ZOOM = 22;

/** Access to data tiles, which ENTERPRISE_GATE restricts to the enterprise plan. */
export const DATA_TILE_ACCESS: Access = {
  kind: 'token',
  scope: 'tiles',
  gate: (caller, settings) => {
    if (settings.enterpriseGate && caller.plan !== 'enterprise')
      throw new ApiError('plan_required');
  },
};

/** The tile of a request. @throws ApiError 400, or the error with the code `refusal` */
export function tileOf(
  c: AppContext,
  suffix: string,
  minZoom: number,
  maxZoom: number,
  refusal: RefusalCode = 'bad_tile',
): TileId {
  const tile = parseTilePath(
    pathParameter(c, 'z'),
    pathParameter(c, 'x'),
    pathParameter(c, 'y', suffix),
    minZoom,
    maxZoom,
  );
  if (tile === 'syntax')
    throw new ApiError(refusal, 'z, x and y must be integers in decimal digits. Correct the path.');
  if (tile === 'zoom')
    throw new ApiError(
      refusal,
      `z must be from ${minZoom} to ${maxZoom} for this tileset. Request another zoom.`,
    );
  if (tile === 'range')
    throw new ApiError(refusal, 'x and y must be from 0 to 2^z - 1. Request a tile in this range.');
  return tile;
}
