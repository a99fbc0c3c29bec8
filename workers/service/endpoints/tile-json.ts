// GET /api/v2/tiles/{tileset}.json

import * as z from 'zod';
import { MAX_VECTOR_ZOOM } from '../../../shared/chart/band-for-zoom.ts';
import { plainBounds, WORLD_BOUNDS } from '../../../shared/chart/bounds.ts';
import { firstSight } from '../../../shared/chart/first-sight.ts';
import { chartAttribution, type Manifest } from '../../../shared/chart/manifest.ts';
import { vectorLayers } from '../../../shared/chart/tile-schema.ts';
import { tileJsonSchema } from '../../../shared/contract/map-documents.ts';
import {
  CROWD_MAX_ZOOM,
  CROWD_MIN_ZOOM,
  CROWD_NOTICE,
  CROWD_TILESET,
} from '../../../shared/crowd/bin.ts';
import { CROWD_VECTOR_LAYERS } from '../../../shared/crowd/bin-fields.ts';
import { manifestFor } from '../charts/catalog.ts';
import { publishedCrowd } from '../charts/crowd-catalog.ts';
import { type Endpoint, jsonAnswer, pathParameter } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { tilesOf } from '../styles/style-documents.ts';
import { MAX_DATA_ZOOM } from '../tiles/tile-parameters.ts';

const TILESETS = {
  'enc-v2': { suffix: 'mvt', maxZoom: MAX_VECTOR_ZOOM },
  'data-geojson-v1': { suffix: 'json', maxZoom: MAX_DATA_ZOOM },
  'data-shoreline-v1': { suffix: 'json', maxZoom: MAX_DATA_ZOOM },
  [CROWD_TILESET]: { suffix: 'mvt', maxZoom: CROWD_MAX_ZOOM },
} as const;

export const tileJson: Endpoint = {
  method: 'get',
  path: '/api/v2/tiles/{tileset}.json',
  id: 'getTileJson',
  summary: 'Returns the TileJSON document of a tileset.',
  description:
    'TileJSON 3.0.0. The tile URL contains the build of the charts, and also the token if it is in the query.',
  tag: 'Tiles',
  access: { kind: 'token', scope: 'tiles' },
  parameters: [
    {
      name: 'tileset',
      in: 'path',
      description: 'Name of the tileset',
      schema: z.enum(['enc-v2', 'data-geojson-v1', 'data-shoreline-v1', CROWD_TILESET]),
      required: true,
      example: 'enc-v2',
    },
  ],
  answers: {
    200: jsonAnswer('TileJSON 3.0.0', tileJsonSchema),
    404: {
      description:
        'There is no such tileset, or the service has no crowdsourced depths (`no_crowd_data`)',
      error: 'not_found',
    },
  },
  handle: async (c) => {
    const name = pathParameter(c, 'tileset', '.json');
    const tileset = Object.entries(TILESETS).find(([known]) => known === name)?.[1];
    if (tileset === undefined) throw new ApiError('not_found');
    const isCrowd = name === CROWD_TILESET;
    const manifest = isCrowd
      ? await publishedCrowd(c.env, c.get('cost'))
      : await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), c.get('cost'));
    const dataZoom = name === 'data-geojson-v1' ? c.get('settings').geojsonMinZoom : 0;
    const minzoom = isCrowd ? CROWD_MIN_ZOOM : dataZoom;
    const token = c.get('caller')?.queryToken;
    const { origin } = new URL(c.req.url);
    c.header('vary', 'Authorization');
    c.header('cache-control', token === undefined ? 'private, max-age=300' : 'private, no-store');
    return c.json({
      tilejson: '3.0.0',
      name,
      description: isCrowd ? CROWD_NOTICE : 'Leadline charts. Not for navigation.',
      version: `1.0.0+${manifest.buildId}`,
      attribution: chartAttribution(manifest.datasets),
      scheme: 'xyz',
      tiles: [tilesOf(origin, `${name}/{z}/{x}/{y}.${tileset.suffix}`, manifest, token)],
      minzoom,
      maxzoom: tileset.maxZoom,
      bounds: boundsOf(manifest, name),
      ...centerOf(manifest, minzoom, tileset.maxZoom),
      chart_bounds: plainBounds(manifest.bounds),
      ...(isCrowd ? { vector_layers: CROWD_VECTOR_LAYERS } : {}),
      ...(name === 'enc-v2' ? { vector_layers: vectorLayers(0, MAX_VECTOR_ZOOM) } : {}),
    });
  },
};

/** The initial view of a map, at a zoom with tiles (TileJSON 3.0.0, center). */
function centerOf({ cells }: Manifest, minzoom: number, maxzoom: number) {
  const sight = firstSight(cells);
  if (sight === undefined) return {};
  const zoom = Math.min(Math.max(sight.zoom, minzoom), maxzoom);
  return { center: [sight.longitude, sight.latitude, zoom] };
}

/**
 * GeoJSON tiles exist only in charted areas, and crowdsourced depths only where boats sailed; the other tilesets have a worldwide background.
 * TileJSON 3.0.0 (bounds) does not allow a box across 180°.
 */
function boundsOf(manifest: Manifest, name: string): readonly number[] {
  if (name !== 'data-geojson-v1' && name !== CROWD_TILESET) return WORLD_BOUNDS;
  return plainBounds(manifest.bounds);
}
