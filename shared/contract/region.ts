// Requests for regions and the description of region files.

import * as z from 'zod';
import { MAX_VECTOR_ZOOM } from '../chart/band-for-zoom.ts';
import { datasetSchema } from '../chart/manifest.ts';
import { MAX_LATITUDE } from '../geo/mercator.ts';
import { REGION_FORMAT, type RegionNote, type RegionRequest } from '../region/region-note.ts';
import type { Fault } from './plain-json.ts';
import { readBox } from './report-list.ts';
import { boxEdges, count, epochMs, scaleDenominator, zoomLevel } from './units.ts';

export const REGION_PARAMETERS = {
  bbox: 'west,south,east,north in degrees; west is greater than east across 180°',
  maxZoom: `Maximum zoom of the tiles, 0 to ${MAX_VECTOR_ZOOM}; 15 and above include all stored detail`,
  from: '`id` of an earlier file with the same bbox and maxZoom; the response is the delta to it',
} as const;

export interface RegionQuery extends RegionRequest {
  readonly from: RegionId | undefined;
}

/** The parts of a region's id. */
export interface RegionId {
  readonly text: string;
  readonly build: string;
  /** Digest of the layout of the tiles. */
  readonly layout: string;
}

/** Parses a query or returns all its faults. @param valuesOf all values of a parameter */
export function readRegionQuery(
  valuesOf: (name: keyof typeof REGION_PARAMETERS) => readonly string[],
): RegionQuery | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = <T>(
    name: keyof typeof REGION_PARAMETERS,
    message: string,
    parse: (text: string | undefined) => T | undefined,
  ): T | undefined => {
    const texts = [...new Set(valuesOf(name))].filter((text) => text !== '');
    const value = texts.length > 1 ? undefined : parse(texts[0]);
    if (value === undefined) faults.push({ path: name, message });
    return value;
  };
  const bounds = read(
    'bbox',
    'must be west,south,east,north in degrees, with a width and a height',
    boundsOf,
  );
  const maxZoom = read('maxZoom', `must be a whole number from 0 to ${MAX_VECTOR_ZOOM}`, zoomOf);
  const from = read('from', 'must be the id of a region', fromOf);
  if (bounds === undefined || maxZoom === undefined || from === undefined) return { faults };
  return { bounds, maxZoom, from: from === 'none' ? undefined : from };
}

/** Normalizes the longitudes and clips the box to the extent of the tiles. */
function boundsOf(text: string | undefined): RegionRequest['bounds'] | undefined {
  const box = text === undefined ? undefined : readBox(text);
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

function zoomOf(text: string | undefined): number | undefined {
  const zoom = /^\d{1,2}$/.test(text ?? '') ? Number(text) : Number.POSITIVE_INFINITY;
  return zoom <= MAX_VECTOR_ZOOM ? zoom : undefined;
}

const ID = /^([0-9a-z-]{8,64})\.([0-9a-f]{16})\.[0-9a-f]{16}$/;

function fromOf(text: string | undefined): RegionId | 'none' | undefined {
  if (text === undefined) return 'none';
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
