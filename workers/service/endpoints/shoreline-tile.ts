// GET /api/v2/tiles/data-shoreline-v1/{z}/{x}/{y}.json

import { clipCollection, type FeatureCollection } from '../../../shared/chart/clip-geojson.ts';
import { shorelineSchema } from '../../../shared/contract/geojson.ts';
import { findTile } from '../charts/tile-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { gunzip } from '../runtime/gzip.ts';
import { type StoredTile, sendTile } from '../tiles/send-tile.ts';
import {
  DATA_TILE_ACCESS,
  MAX_DATA_ZOOM,
  tileOf,
  tileParameters,
} from '../tiles/tile-parameters.ts';

const TILESET = 'data-shoreline-v1';

export const shorelineTile: Endpoint = {
  method: 'get',
  path: '/api/v2/tiles/data-shoreline-v1/{z}/{x}/{y}.json',
  id: 'getShorelineTile',
  summary: 'Returns the land of a tile as one polygon geometry.',
  description:
    'From zoom 4, the land is taken from the largest-scale charts, and outside them from the background. Below zoom 4, it is taken from the background. A tile without land has no feature.',
  tag: 'Tiles',
  access: DATA_TILE_ACCESS,
  parameters: tileParameters(MAX_DATA_ZOOM),
  answers: {
    200: jsonAnswer(
      'A FeatureCollection of at most one feature, or its bare geometry',
      shorelineSchema,
    ),
    304: { description: 'Not modified' },
    400: { description: 'z, x or y is out of range', error: 'bad_tile' },
  },
  handle: (c) => {
    const tile = tileOf(c, '.json', 0, MAX_DATA_ZOOM);
    const bare = c.get('settings').shorelineBody === 'geometry';
    const water = { type: 'FeatureCollection', features: [] } satisfies FeatureCollection;
    return sendTile(c, tile, {
      tileset: TILESET,
      variant: bare ? '-bare' : '',
      contentType: 'application/json',
      make: async (manifest) => {
        const found = await findTile(c.env, manifest, TILESET, tile, c.get('cost'));
        if (found === undefined) return bodyOf(water, bare);
        const exact = found.from.z === tile.z;
        if (exact && !bare) return { bytes: found.stored, encoding: 'gzip' };
        const text = new TextDecoder().decode(await gunzip(found.stored));
        const shore = JSON.parse(text) as FeatureCollection;
        return bodyOf(exact ? shore : clipCollection(shore, tile, found.from), bare);
      },
    });
  },
};

/** Without land a bare geometry is an empty MultiPolygon. */
function bodyOf(shore: FeatureCollection, bare: boolean): StoredTile {
  const geometry = shore.features[0]?.geometry ?? { type: 'MultiPolygon', coordinates: [] };
  const text = JSON.stringify(bare ? geometry : shore);
  return { bytes: new TextEncoder().encode(text), encoding: 'identity' };
}
