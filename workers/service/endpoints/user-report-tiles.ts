// GET /api/v1/user-reports/tiles/{z}/{x}/{y}.mvt and .json

import { presentReportTile, reportTileSchema } from '../../../shared/contract/report-tiles.ts';
import { isTheirs } from '../../../shared/contract/user-report.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { encodeReportTile, type ReportTile } from '../../../shared/reports/tile.ts';
import { readReportTile } from '../db/report-lists.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { MAX_DATA_ZOOM, tileOf, tileParameters } from '../tiles/tile-parameters.ts';
import { READ_ACCESS, REPORTS_PATH, sendPrivate, USER_TOKEN, viewerOf } from './report-requests.ts';

const MVT = 'application/vnd.mapbox-vector-tile';
const CONTENT =
  'From zoom 9, a tile has at most the 500 newest reports. Below zoom 9, reports in the same 16th of the width and height are a cluster with `point_count` and `hazards`; a tile counts at most its 1,000 newest reports.';

/** The tile of the example of `createUserReport`. */
const PARAMETERS = tileParameters(MAX_DATA_ZOOM).map((one) =>
  one.name === 'y' ? { ...one, example: 9624 } : one,
);

const common = {
  method: 'get',
  tag: 'Reports',
  access: READ_ACCESS,
  parameters: [...PARAMETERS, USER_TOKEN],
} as const;

const refusals = {
  304: { description: 'Not modified' },
  400: { description: 'z, x or y is out of range', error: 'bad_tile' },
  404: { description: 'Lists of reports are disabled (REPORTS_LISTING=off)', error: 'not_found' },
} as const;

export const userReportTiles: readonly Endpoint[] = [
  {
    ...common,
    path: `${REPORTS_PATH}/tiles/{z}/{x}/{y}.mvt`,
    id: 'getReportTile',
    summary: 'Returns the active reports of a tile as a vector tile, zoom 0 to 22.',
    description: `The layer \`user_reports\` has points with \`id\`, \`reportType\`, \`upvoteCount\`, \`downvoteCount\`, \`is_owner\`, \`label\` and \`properties\` (JSON text). ${CONTENT} Clusters of such a tile have \`is_partial\`. A tile without reports has no bytes.`,
    answers: { 200: { description: 'A Mapbox vector tile', contentType: MVT }, ...refusals },
    handle: async (c) => {
      const { tile, content } = await readTile(c, '.mvt');
      const viewer = viewerOf(c);
      return sendPrivate(
        c,
        'tile',
        encodeReportTile(content, tile, (report) => isTheirs(report, viewer)),
        MVT,
      );
    },
  },
  {
    ...common,
    path: `${REPORTS_PATH}/tiles/{z}/{x}/{y}.json`,
    id: 'getReportTileGeojson',
    summary: 'Returns the active reports of a tile as GeoJSON, zoom 0 to 22.',
    description: `${CONTENT} If reports were left out, \`isComplete\` is false.`,
    answers: {
      200: jsonAnswer('A FeatureCollection; empty without reports', reportTileSchema),
      ...refusals,
    },
    handle: async (c) => {
      const { tile, content } = await readTile(c, '.json');
      const text = presentReportTile(content, tile, viewerOf(c));
      return sendPrivate(
        c,
        'tile',
        new TextEncoder().encode(text),
        'application/json; charset=utf-8',
      );
    },
  },
];

/** @throws ApiError 400, 404 */
async function readTile(
  c: AppContext,
  suffix: string,
): Promise<{ readonly tile: TileId; readonly content: ReportTile }> {
  if (!c.get('settings').reportsListing) throw new ApiError('not_found');
  const tile = tileOf(c, suffix, 0, MAX_DATA_ZOOM);
  return { tile, content: await readReportTile(c.env, tile, Date.now()) };
}
