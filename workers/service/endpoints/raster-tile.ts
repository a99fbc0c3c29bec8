// GET /api/v2/tiles/raster-v1/{z}/{x}/{y}.png

import { daysAt, nextDaysAfter } from '../../../shared/chart/in-force.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { styleAssets } from '../http/style-assets.ts';
import { rasterVariant, renderTile } from '../raster/render-tile.ts';
import { wideNetworkOf } from '../runtime/network-of.ts';
import { sendTile } from '../tiles/send-tile.ts';
import { tileOf, tileParameters } from '../tiles/tile-parameters.ts';

const CONTENT_TYPE = 'image/png';
const MAX_RASTER_ZOOM = 22;

export const rasterTile: Endpoint = {
  method: 'get',
  path: '/api/v2/tiles/raster-v1/{z}/{x}/{y}.png',
  id: 'getRasterTile',
  summary: 'Returns a raster tile of the chart in day colours, 256×256 pixels, zoom 0 to 22.',
  description:
    'Use raster tiles in clients that cannot render vector tiles. Above the maximum zoom of the charts the tile is enlarged. The tiles have no style parameters and never show crowdsourced depths, which exist as vector tiles only. They show the objects of the current date and expire when it changes, at 12:00 UTC.',
  tag: 'Tiles',
  access: { kind: 'token', scope: 'tiles' },
  parameters: tileParameters(MAX_RASTER_ZOOM),
  answers: {
    200: { description: 'A PNG', contentType: CONTENT_TYPE },
    304: { description: 'Not modified' },
    404: { description: 'z, x or y is out of range', error: 'tile_out_of_range' },
  },
  handle: async (c) => {
    const tile = tileOf(c, '.png', 0, MAX_RASTER_ZOOM, 'tile_out_of_range');
    const assets = await styleAssets(c.env);
    const painter = c.get('settings').rasterPainter;
    const now = Date.now();
    const days = daysAt(now);
    return sendTile(c, tile, {
      tileset: 'raster-v1',
      variant: rasterVariant(assets, painter, days),
      contentType: CONTENT_TYPE,
      until: nextDaysAfter(now),
      make: async (manifest) => {
        const bytes = await renderTile({
          ...{ env: c.env, manifest, assets, tile, painter, days },
          ...{ network: wideNetworkOf(c.req.raw.headers), cost: c.get('cost') },
        });
        return { bytes, encoding: 'identity' };
      },
    });
  },
};
