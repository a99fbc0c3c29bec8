// GET /api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt

import { MAX_VECTOR_ZOOM } from '../../../shared/chart/band-for-zoom.ts';
import { overzoomTile } from '../../../shared/mvt/overzoom.ts';
import { findTile } from '../charts/tile-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { PlainHeaders } from '../http/response-headers.ts';
import { gunzip } from '../runtime/gzip.ts';
import { sendTile } from '../tiles/send-tile.ts';
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
      variant: '',
      contentType: CONTENT_TYPE,
      make: async (manifest) => {
        const found = await findTile(c.env, manifest, 'enc-v2', tile, c.get('cost'));
        if (found === undefined) return undefined;
        if (found.from.z === tile.z) return { bytes: found.stored, encoding: 'gzip' };
        const bytes = overzoomTile(await gunzip(found.stored), found.from, tile);
        return { bytes, encoding: 'identity' };
      },
      // A tile without layers is empty.
      ...(c.get('settings').emptyTileStatus === '204' ? { whenNothing: noContent } : {}),
    });
  },
};

/** The response for an empty tile with EMPTY_TILE_STATUS=204. */
export function noContent({ 'content-type': _, ...headers }: PlainHeaders): Response {
  return new Response(null, { status: 204, headers });
}
