// GET /api/v2/tiles/crowd-depth-v1/{z}/{x}/{y}.mvt

import { CROWD_TILESET } from '../../../shared/crowd/bin.ts';
import { crowdEnv, publishedCrowd } from '../charts/crowd-catalog.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { sendTile, withoutBody } from '../tiles/send-tile.ts';
import { MAX_DATA_ZOOM, tileOf, tileParameters } from '../tiles/tile-parameters.ts';
import { vectorTile } from './enc-tile.ts';

const CONTENT_TYPE = 'application/x-protobuf';

export const crowdTile: Endpoint = {
  method: 'get',
  path: `/api/v2/tiles/${CROWD_TILESET}/{z}/{x}/{y}.mvt`,
  id: 'getCrowdTile',
  summary: 'Returns a vector tile of crowdsourced depths, zoom 0 to 22.',
  description:
    'Depths that at least two independent contributors measured, in cells of a grid: the layers `crowd_depth` (squares) and `crowd_depth_point` (their centres). Depths are metres below chart datum. This is not a part of the official chart. Not for navigation.',
  tag: 'Crowd depths',
  access: { kind: 'token', scope: 'tiles' },
  parameters: tileParameters(MAX_DATA_ZOOM),
  answers: {
    200: {
      description: 'A Mapbox vector tile; empty if it has no depths',
      contentType: CONTENT_TYPE,
    },
    204: { description: 'The tile has no depths (only with EMPTY_TILE_STATUS=204)' },
    304: { description: 'Not modified' },
    400: { description: 'z, x or y is out of range', error: 'bad_tile' },
    404: { description: 'The service has no crowdsourced depths', error: 'no_crowd_data' },
  },
  handle: async (c) => {
    const tile = tileOf(c, '.mvt', 0, MAX_DATA_ZOOM);
    return sendTile(c, tile, {
      tileset: CROWD_TILESET,
      contentType: CONTENT_TYPE,
      manifest: await publishedCrowd(c.env, c.get('cost')),
      make: (manifest) => vectorTile(crowdEnv(c.env), manifest, CROWD_TILESET, tile, c.get('cost')),
      ...(c.get('settings').emptyTileStatus === '204' ? { whenNothing: withoutBody(204) } : {}),
    });
  },
};
