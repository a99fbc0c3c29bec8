// GET /api/v1/crowd-depths.csv and /api/v1/crowd-depths.tif

import { CROWD_EXPORT_PARAMETERS, MAX_CROWD_TILES } from '../../../shared/contract/crowd.ts';
import type { PlacedBin } from '../../../shared/crowd/bin.ts';
import { type CrowdBox, isBinIn, tilesOfBox } from '../../../shared/crowd/bin-area.ts';
import { crowdCsv } from '../../../shared/crowd/crowd-csv.ts';
import { crowdGeoTiff } from '../../../shared/crowd/crowd-geotiff.ts';
import { publishedCrowd } from '../charts/crowd-catalog.ts';
import { readBins } from '../charts/crowd-store.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { BAD_QUERY, queryOf, queryParameters } from '../http/query.ts';
import { ApiError } from '../runtime/errors.ts';

interface ExportKind {
  readonly suffix: string;
  /** End of the operation id, in the form that generated clients keep. */
  readonly id: string;
  readonly name: string;
  readonly use: string;
  readonly contentType: string;
  readonly write: (
    bins: readonly PlacedBin[],
    box: CrowdBox,
    zoom: number,
  ) => string | Promise<Uint8Array>;
}

const KINDS: readonly ExportKind[] = [
  {
    suffix: 'csv',
    id: 'Csv',
    name: 'CSV',
    use: 'A header line, then one line per cell: its centre in WGS 84, depths in metres below chart datum, 95 % uncertainty, number of soundings and contributors, months, charted depth.',
    contentType: 'text/csv; charset=utf-8',
    write: crowdCsv,
  },
  {
    suffix: 'tif',
    id: 'GeoTiff',
    name: 'GeoTIFF',
    use: 'Web Mercator (EPSG:3857), a pixel per cell, 32-bit floating point. Band 1: depth to rely on; band 2: 95 % uncertainty; both in metres, depths positive downwards. No data: -9999.',
    contentType: 'image/tiff',
    write: crowdGeoTiff,
  },
];

export const crowdExports: readonly Endpoint[] = KINDS.map((kind) => ({
  method: 'get',
  path: `/api/v1/crowd-depths.${kind.suffix}`,
  id: `exportCrowdDepthsAs${kind.id}`,
  isStrict: true,
  summary: `Returns the depths from the crowd in a box as ${kind.name}.`,
  description: `${kind.use} For hydrographic offices and geographic information systems. Not for navigation.`,
  tag: 'Crowd depths',
  access: { kind: 'token', scope: 'query' },
  parameters: queryParameters(CROWD_EXPORT_PARAMETERS),
  answers: {
    200: {
      description: 'The file; without cells if there are no depths',
      contentType: kind.contentType.split(';')[0]!,
    },
    400: BAD_QUERY,
    404: { description: 'The service has no depths from the crowd', error: 'no_crowd_data' },
    413: {
      description: `The box needs more than ${MAX_CROWD_TILES} tiles of the zoom`,
      error: 'crowd_area_too_large',
    },
  },
  handle: (c) => sendExport(c, kind),
}));

async function sendExport(c: AppContext, kind: ExportKind): Promise<Response> {
  const { bbox: box, zoom } = queryOf(c, CROWD_EXPORT_PARAMETERS);
  const tiles = tilesOfBox(box, zoom, MAX_CROWD_TILES);
  if (tiles === undefined)
    throw new ApiError(
      'crowd_area_too_large',
      `The box needs more than ${MAX_CROWD_TILES} tiles. Request a smaller box or a lower zoom.`,
    );
  const manifest = await publishedCrowd(c.env, c.get('cost'));
  const bins = await readBins(c.env, manifest, tiles, c.get('cost'));
  const inBox = bins
    .filter((bin) => isBinIn(box, bin))
    .sort((a, b) => a.zoom - b.zoom || a.y - b.y || a.x - b.x);
  const file = await kind.write(inBox, box, zoom);
  return c.body(file as Uint8Array<ArrayBuffer>, 200, {
    'content-type': kind.contentType,
    'content-disposition': `attachment; filename="crowd-depths.${kind.suffix}"`,
    'cache-control': 'no-store',
  });
}
