// GET /api/v2/tiles/data-geojson-v1/{z}/{x}/{y}.json

import { clipCollection, type FeatureCollection } from '../../../shared/chart/clip-geojson.ts';
import { featureCollectionSchema } from '../../../shared/contract/geojson.ts';
import { findTile } from '../charts/tile-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { gunzip } from '../runtime/gzip.ts';
import { sendTile } from '../tiles/send-tile.ts';
import {
  DATA_TILE_ACCESS,
  MAX_DATA_ZOOM,
  tileOf,
  tileParameters,
} from '../tiles/tile-parameters.ts';

const TILESET = 'data-geojson-v1';

export const geojsonTile: Endpoint = {
  method: 'get',
  path: '/api/v2/tiles/data-geojson-v1/{z}/{x}/{y}.json',
  id: 'getGeojsonTile',
  summary: 'Returns the chart features of a tile with all S-57 attributes, as GeoJSON.',
  description:
    'Where cells overlap, the cell with the largest scale is used. Attributes have the values of the chart producer: coded values are numbers, lists are arrays.',
  tag: 'Tiles',
  access: DATA_TILE_ACCESS,
  parameters: tileParameters(MAX_DATA_ZOOM, '10 (the setting `GEOJSON_MIN_ZOOM` changes it)'),
  answers: {
    200: jsonAnswer('A FeatureCollection', featureCollectionSchema),
    304: { description: 'Not modified' },
    400: { description: 'z is below the minimum, or z, x or y is out of range', error: 'bad_tile' },
    404: { description: 'No chart covers the tile', error: 'no_chart_data' },
  },
  handle: (c) => {
    const tile = tileOf(c, '.json', c.get('settings').geojsonMinZoom, MAX_DATA_ZOOM);
    return sendTile(c, tile, {
      tileset: TILESET,
      contentType: 'application/json',
      make: async (manifest) => {
        const found = await findTile(c.env, manifest, TILESET, tile, c.get('cost'));
        if (found === undefined) return undefined;
        if (found.from.z === tile.z) return { bytes: found.stored, encoding: 'gzip' };
        const text = new TextDecoder().decode(await gunzip(found.stored));
        const clipped = clipCollection(JSON.parse(text) as FeatureCollection, tile, found.from);
        if (clipped.features.length === 0) return undefined;
        return { bytes: new TextEncoder().encode(JSON.stringify(clipped)), encoding: 'identity' };
      },
      whenNothing: () => {
        throw new ApiError(
          'no_chart_data',
          'No chart covers this tile. /api/v2/tiles/data-geojson-v1.json lists the charted bounds.',
        );
      },
    });
  },
};
