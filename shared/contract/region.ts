// Requests for regions and the description of region files.

import * as z from 'zod';
import { MAX_VECTOR_ZOOM } from '../chart/band-for-zoom.ts';
import { datasetSchema } from '../chart/manifest.ts';
import { MAX_LATITUDE } from '../geo/mercator.ts';
import { REGION_FORMAT, type RegionNote, type RegionRequest } from '../region/region-note.ts';
import { FLAG, type QueryValues, readBox, wholeNumber } from './query.ts';
import { boxEdges, count, epochMs, scaleDenominator, zoomLevel } from './units.ts';

/** The parts of a region's id. */
export interface RegionId {
  readonly text: string;
  readonly build: string;
  /** Digest of the layout of the tiles. */
  readonly layout: string;
}

export const REGION_PARAMETERS = {
  bbox: {
    description: 'west,south,east,north in degrees; west is greater than east across 180°',
    rule: 'must be west,south,east,north in degrees, with a width and a height',
    example: '-20.1,-30.1,-19.9,-29.9',
    read: readBounds,
  },
  maxZoom: {
    ...wholeNumber(0, MAX_VECTOR_ZOOM),
    description: `Maximum zoom of the tiles, 0 to ${MAX_VECTOR_ZOOM}; ${MAX_VECTOR_ZOOM} includes all stored detail`,
    example: MAX_VECTOR_ZOOM,
  },
  crowd: {
    ...FLAG,
    description:
      '`true` adds the crowdsourced depths. Such a file has no delta: `from` is then not permitted',
  },
  from: {
    description:
      '`id` of an earlier file with the same bbox and maxZoom; the response is the delta to it',
    rule: 'must be the id of a region',
    otherwise: undefined,
    read: readRegionId,
  },
} as const;
export type RegionQuery = QueryValues<typeof REGION_PARAMETERS>;

/** Normalizes the longitudes and clips the box to the extent of the tiles. */
function readBounds(text: string): RegionRequest['bounds'] | undefined {
  const box = readBox(text);
  if (box === undefined) return undefined;
  const south = Math.max(box.south, -MAX_LATITUDE);
  const north = Math.min(box.north, MAX_LATITUDE);
  // Only the meridian of 180°, without width.
  if (box.west === 180 && box.east === -180) return undefined;
  // A side on 180° gets the sign of the box.
  const west = box.west === 180 ? -180 : box.west;
  const east = box.east === -180 ? 180 : box.east;
  return south < north && west !== east ? [west, south, east, north] : undefined;
}

const ID = /^([0-9a-z-]{8,64})\.([0-9a-f]{16})\.[0-9a-f]{16}$/;

function readRegionId(text: string): RegionId | undefined {
  const [, build, layout] = ID.exec(text) ?? [];
  return build === undefined || layout === undefined ? undefined : { text, build, layout };
}

const archiveSchema = z
  .object({
    offset: count.describe('Offset of the PMTiles archive in bytes'),
    bytes: count.describe('Length in bytes'),
    tiles: count.describe('Number of addressable tiles'),
    head: z
      .object({
        bytes: count.describe('Length in bytes'),
        crc32: count.max(0xffff_ffff).describe('CRC-32 of these bytes'),
      })
      .describe('Length and CRC-32 of the header, metadata and directories'),
  })
  .meta({ id: 'RegionArchive', description: 'A PMTiles archive in a region file' });

/** `region.json` of a file. */
export const regionNoteSchema = z.object({
  format: z.literal(REGION_FORMAT).describe('Format of the file'),
  id: z
    .string()
    .regex(ID)
    .describe('Identifies the bytes of the file: build, layout of the tiles, and other contents'),
  build: z.string().describe('Build of the charts'),
  bounds: boxEdges.describe(
    'West, south, east, north, degrees; west is greater than east across 180°',
  ),
  maxZoom: count.max(MAX_VECTOR_ZOOM).describe('The requested maximum zoom'),
  storedZoom: zoomLevel.describe('Maximum zoom of the stored tiles'),
  lastZoom: zoomLevel.describe(
    'Maximum zoom of the region; tiles above `storedZoom` are cut from their parent tiles',
  ),
  charted: z
    .boolean()
    .describe(
      'False if no chart covers the box; the file then contains only the background map, without depths or dangers',
    ),
  notices: z.array(z.string()).describe('Notices to display with the region'),
  madeAt: epochMs.describe('Time of the build of the charts, epoch milliseconds'),
  cells: z
    .array(
      z.object({
        name: z.string().describe('Name of the chart (cell)'),
        edition: count.describe('Edition number'),
        update: count.describe('Number of the last update'),
        issueDate: z.string().describe('Date of issue, YYYYMMDD'),
        usageBand: z
          .number()
          .int()
          .min(1)
          .max(9)
          .describe('Navigational purpose: 1 (overview) to 6 (berthing); 7 to 9 inland'),
        scaleDenominator: scaleDenominator.describe('Denominator of the compilation scale'),
      }),
    )
    .describe('Charts whose bounding boxes intersect the region'),
  attributions: z.array(datasetSchema).describe('Attributions to display with the charts'),
  chart: archiveSchema.describe('Archive of the vector tiles'),
  query: archiveSchema
    .nullable()
    .describe('Archive of features for queries; null if the file has no such archive'),
  crowd: archiveSchema
    .extend({
      build: z.string().describe('Build of the depths'),
      storedZoom: zoomLevel.describe('Maximum zoom of the stored tiles of depths'),
    })
    .meta({ id: 'RegionCrowd', description: 'Archive of crowdsourced depths' })
    .nullable()
    .optional()
    .describe(
      'Archive of crowdsourced depths; null if no tile of the box contains depths, absent without `crowd=true`',
    ),
}) satisfies z.ZodType<RegionNote>;

export const regionPlanSchema = regionNoteSchema
  .extend({
    bytes: count.describe('Length of the file in bytes'),
    etag: z.string().describe('ETag of the file, a strong validator'),
    delta: z
      .object({
        from: z.string().describe('`id` of the file that the delta applies to'),
        bytes: count.describe('Length of the delta in bytes'),
        etag: z.string().describe('ETag of the delta, a strong validator'),
        changed: count.describe('Number of new or changed tiles'),
        removed: count.describe('Number of removed tiles'),
      })
      .nullable()
      .describe('The delta to the file in `from`; null without `from`'),
  })
  .meta({ id: 'RegionPlan', description: 'The region file that a download would return' });

export type RegionPlanAnswer = z.input<typeof regionPlanSchema>;
