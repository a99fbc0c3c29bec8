// GET /api/v1/crowd-depths.csv and /api/v1/crowd-depths.tif

import { CROWD_EXPORT_PARAMETERS, MAX_CROWD_TILES } from '../../../shared/contract/crowd.ts';
import type { PlacedBin } from '../../../shared/crowd/bin.ts';
import { type CrowdBox, isBinIn, tilesOfBox } from '../../../shared/crowd/bin-area.ts';
import { CROWD_COLUMNS, crowdCsvLine } from '../../../shared/crowd/crowd-csv.ts';
import { crowdGeoTiff } from '../../../shared/crowd/crowd-geotiff.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { publishedCrowd } from '../charts/crowd-catalog.ts';
import { readBins, TILES_AT_ONCE } from '../charts/crowd-store.ts';
import { clientNetwork } from '../http/client-network.ts';
import { withConcurrencyLimit } from '../http/concurrency.ts';
import type { AppContext, Endpoint } from '../http/endpoint.ts';
import { BAD_QUERY, queryOf, queryParameters } from '../http/query.ts';
import { limitHeavyWork } from '../http/rate-limit.ts';
import { ApiError } from '../runtime/errors.ts';
import { sendCsv } from './page-query.ts';
import { callerOf } from './report-requests.ts';

/** Tiles of a CSV file that does not count as heavy: as many as `crowd_query` reads. */
const FREE_TILES = 16;

interface ExportKind {
  readonly suffix: string;
  /** End of the operation id, in the form that generated clients keep. */
  readonly id: string;
  readonly name: string;
  readonly use: string;
  readonly contentType: string;
  /** Whether a file needs much time of the processor, also without cells. */
  readonly isHeavy: boolean;
  readonly send: (c: AppContext, bins: Bins, box: CrowdBox, zoom: number) => Promise<Response>;
}

/** The bins of a box, some at a time: all of them can exceed the memory of an isolate. */
type Bins = AsyncGenerator<readonly PlacedBin[]>;

const KINDS: readonly ExportKind[] = [
  {
    suffix: 'csv',
    id: 'Csv',
    name: 'CSV',
    use: 'A header line, then one line per cell: its centre in WGS 84, depths in metres below chart datum, 95 % uncertainty, number of soundings and contributors, months, charted depth.',
    contentType: 'text/csv',
    isHeavy: false,
    send: (c, bins) =>
      sendCsv(c, 'crowd-depths', CROWD_COLUMNS, async () => {
        const { value = [], done } = await bins.next();
        return { lines: value.map(crowdCsvLine), next: done === true ? undefined : true };
      }),
  },
  {
    suffix: 'tif',
    id: 'GeoTiff',
    name: 'GeoTIFF',
    use: 'Web Mercator (EPSG:3857), a pixel per cell, 32-bit floating point. Band 1: cautious depth; band 2: 95 % uncertainty; both in metres, depths positive downwards. No data: -9999.',
    contentType: 'image/tiff',
    isHeavy: true,
    send: async (c, bins, box, zoom) =>
      c.body((await crowdGeoTiff(bins, box, zoom)) as Uint8Array<ArrayBuffer>, 200, {
        'content-type': 'image/tiff',
        'content-disposition': 'attachment; filename="crowd-depths.tif"',
        'cache-control': 'no-store',
      }),
  },
];

export const crowdExports: readonly Endpoint[] = KINDS.map((kind) => ({
  method: 'get',
  path: `/api/v1/crowd-depths.${kind.suffix}`,
  id: `exportCrowdDepthsAs${kind.id}`,
  summary: `Returns the crowdsourced depths in a box as ${kind.name}.`,
  description: `${kind.use} For hydrographic offices and geographic information systems. Not for navigation.`,
  tag: 'Crowd depths',
  access: { kind: 'token', scope: 'query' },
  parameters: queryParameters(CROWD_EXPORT_PARAMETERS),
  answers: {
    200: {
      description: 'The file; without cells if there are no depths',
      contentType: kind.contentType,
    },
    400: BAD_QUERY,
    404: { description: 'The service has no crowdsourced depths', error: 'no_crowd_data' },
    413: {
      description: `The box needs more than ${MAX_CROWD_TILES} tiles of the zoom`,
      error: 'crowd_area_too_large',
    },
    ...(kind.isHeavy && {
      429: {
        description:
          'Other files for the token or the account are being made; or too many files a minute (`too_many_requests`)',
        error: 'too_many_at_once',
      },
    }),
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
  const send = () => kind.send(c, binsOf(c, tiles, box), box, zoom);
  if (kind.isHeavy) return withConcurrencyLimit(c, callerOf(c), () => limited(c, kind, send));
  return tiles.length > FREE_TILES ? limited(c, kind, send) : send();
}

/** Public tokens can request files, so each client address has its own count. @throws ApiError 429, 503 */
async function limited(
  c: AppContext,
  { id }: ExportKind,
  send: () => Promise<Response>,
): Promise<Response> {
  await limitHeavyWork(c, callerOf(c), { id: `crowd${id} ${clientNetwork(c)}` });
  return send();
}

/** @throws ApiError 404, 503 */
async function* binsOf(c: AppContext, tiles: readonly TileId[], box: CrowdBox): Bins {
  const cost = c.get('cost');
  const manifest = await publishedCrowd(c.env, cost);
  for (let at = 0; at < tiles.length; at += TILES_AT_ONCE) {
    const bins = await readBins(c.env, manifest, tiles.slice(at, at + TILES_AT_ONCE), cost);
    yield bins.filter((bin) => isBinIn(box, bin));
  }
}
