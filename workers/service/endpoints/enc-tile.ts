// GET /api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt

import { MAX_VECTOR_ZOOM } from '../../../shared/chart/band-for-zoom.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { overzoomTile } from '../../../shared/mvt/overzoom.ts';
import { findTile } from '../charts/tile-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Env } from '../runtime/env.ts';
import { gunzip } from '../runtime/gzip.ts';
import type { RequestCost } from '../runtime/request-cost.ts';
import { type StoredTile, sendTile, withoutBody } from '../tiles/send-tile.ts';
import { tileOf, tileParameters } from '../tiles/tile-parameters.ts';

const CONTENT_TYPE = 'application/x-protobuf';

export const encTile: Endpoint = {
  method: 'get',
  path: '/api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt',
  id: 'getEncTile',
  summary: 'Returns a vector tile of the chart, zoom 0 to 16.',
  description:
    'The format is Mapbox Vector Tile 2.1, compressed with gzip. A tile that is not stored is cut from its nearest stored parent tile. Outside charted areas a tile has no chart layers. Send `If-None-Match` to get 304 if the charts have not changed.',
  tag: 'Tiles',
  access: { kind: 'token', scope: 'tiles' },
  parameters: tileParameters(MAX_VECTOR_ZOOM),
  answers: {
    200: { description: 'A Mapbox vector tile', contentType: CONTENT_TYPE },
    204: { description: 'The tile has no layers (only with EMPTY_TILE_STATUS=204)' },
    304: { description: 'Not modified' },
    400: { description: 'z, x or y is out of range, or z is above 16', error: 'bad_tile' },
  },
  handle: (c) => {
    const tile = tileOf(c, '.mvt', 0, MAX_VECTOR_ZOOM);
    return sendTile(c, tile, {
      tileset: 'enc-v2',
      contentType: CONTENT_TYPE,
      make: (manifest) => vectorTile(c.env, manifest, 'enc-v2', tile, c.get('cost')),
      // A tile without layers is empty.
      ...(c.get('settings').emptyTileStatus === '204' ? { whenNothing: withoutBody(204) } : {}),
    });
  },
};

/** A vector tile of an archive, cut from its nearest stored parent if it is not stored. */
export async function vectorTile(
  env: Env,
  manifest: Manifest,
  tileset: string,
  tile: TileId,
  cost: RequestCost,
): Promise<StoredTile | undefined> {
  const found = await findTile(env, manifest, tileset, tile, cost);
  if (found === undefined) return undefined;
  if (found.from.z === tile.z) return { bytes: found.stored, encoding: 'gzip' };
  return {
    bytes: overzoomTile(await gunzip(found.stored), found.from, tile),
    encoding: 'identity',
  };
}
