// GET /api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt

import { MAX_VECTOR_ZOOM } from '../../../shared/chart/band-for-zoom.ts';
import { overzoomTile } from '../../../shared/mvt/overzoom.ts';
import { findTile } from '../charts/tile-store.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { PlainHeaders } from '../http/response-headers.ts';
import { gunzip } from '../runtime/gzip.ts';
import { sendTile } from '../tiles/send-tile.ts';
import { TILE_PARAMETERS, tileOf } from '../tiles/tile-parameters.ts';

const CONTENT_TYPE = 'application/x-protobuf';

export const encTile: Endpoint = {
  method: 'get',
  path: '/api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt',
  id: 'getEncTile',
  summary: 'Vector tile of the chart, zoom 0 to 16. It has no layers outside charted areas.',
  description:
    'Encoded as Mapbox Vector Tile 2.1, gzip. Above zoom 15 the tile is cut from its ancestor. Ask with `If-None-Match`: a build that did not change answers 304.',
  tag: 'Tiles',
  access: { kind: 'token', scope: 'tiles' },
  parameters: TILE_PARAMETERS,
  answers: {
    200: { description: 'A Mapbox vector tile', contentType: CONTENT_TYPE },
    204: { description: 'No layers, where the deployment answers so' },
    304: { description: 'Not changed' },
    400: { description: 'z, x or y out of range, or z above 16' },
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
      // A tile without layers has no bytes.
      ...(c.get('settings').emptyTileStatus === 204 ? { whenNothing: noContent } : {}),
    });
  },
};

function noContent({ 'content-type': _, ...headers }: PlainHeaders): Response {
  return new Response(null, { status: 204, headers });
}
