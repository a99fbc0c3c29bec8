// POST /api/v1/crowd_query

import {
  crowdAnswerSchema,
  crowdQuerySchema,
  MAX_CROWD_RESULTS,
  presentBin,
} from '../../../shared/contract/crowd.ts';
import { boxOf } from '../../../shared/contract/query.ts';
import { CROWD_MAX_ZOOM, CROWD_NOTICE, type PlacedBin } from '../../../shared/crowd/bin.ts';
import { binCentre, type CrowdBox, tilesOfBox } from '../../../shared/crowd/bin-area.ts';
import { distanceMeters } from '../../../shared/geo/earth.ts';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { publishedCrowd } from '../charts/crowd-catalog.ts';
import { readBins } from '../charts/crowd-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { readBody } from '../http/read-json.ts';

const MAX_BODY_BYTES = 4096;
/** The zoom is lowered until the circle needs no more tiles than this. */
const MAX_TILES = 16;
const METERS_PER_DEGREE = 111_000;

export const crowdQuery: Endpoint = {
  method: 'post',
  path: '/api/v1/crowd_query',
  id: 'queryCrowdDepths',
  summary: 'Returns crowdsourced depths near a position, nearest first.',
  description: `At most ${MAX_CROWD_RESULTS} cells. A large circle has larger cells, which keep the least depth. Not for navigation.`,
  tag: 'Crowd depths',
  access: { kind: 'token', scope: 'query' },
  body: {
    schema: crowdQuerySchema,
    description: 'Centre and radius of the search',
    example: { position: { longitude: -19.98, latitude: -30.02 }, radius: 200 },
  },
  answers: {
    200: jsonAnswer('The cells; an empty list if the area has no depths', crowdAnswerSchema),
    400: { description: 'A field is missing or invalid; `errors` lists it', error: 'bad_query' },
    404: { description: 'The service has no crowdsourced depths', error: 'no_crowd_data' },
  },
  handle: async (c) => {
    const { position, radius } = await readBody(c, crowdQuerySchema, MAX_BODY_BYTES);
    const manifest = await publishedCrowd(c.env, c.get('cost'));
    const bins = await readBins(c.env, manifest, tilesNear(position, radius), c.get('cost'));
    const near = bins
      .map((bin) => ({ bin, meters: metersTo(position, bin) }))
      .filter(({ bin, meters }) => meters <= radius || contains(bin, position))
      .sort((a, b) => a.meters - b.meters)
      .slice(0, MAX_CROWD_RESULTS);
    const results = near.map(({ bin, meters }) => presentBin(bin, meters));
    return c.json({ results, notice: CROWD_NOTICE }, 200, { 'cache-control': 'no-store' });
  },
};

interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/** The tiles around a circle, at the highest zoom at which they are few. */
function tilesNear({ longitude, latitude }: Position, radius: number) {
  const high = radius / METERS_PER_DEGREE;
  const wide = Math.min(high / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01), 179.9);
  const south = Math.max(latitude - high, -90);
  const box: CrowdBox = boxOf(
    longitude - wide,
    south,
    longitude + wide,
    Math.min(latitude + high, 90),
  );
  for (let zoom = CROWD_MAX_ZOOM; zoom > 0; zoom--) {
    const tiles = tilesOfBox(box, zoom, MAX_TILES);
    if (tiles !== undefined) return tiles;
  }
  return [{ z: 0, x: 0, y: 0 }];
}

function metersTo({ longitude, latitude }: Position, bin: PlacedBin): number {
  const centre = binCentre(bin);
  return distanceMeters(longitude, latitude, centre.longitude, centre.latitude);
}

const contains = ({ zoom, x, y }: PlacedBin, { longitude, latitude }: Position): boolean =>
  Math.floor(mercatorX(longitude) * 2 ** zoom) === x &&
  Math.floor(mercatorY(latitude) * 2 ** zoom) === y;
