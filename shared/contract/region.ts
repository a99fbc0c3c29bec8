// Regions on the wire: what is asked for, and what is told of a file before it is fetched.

import * as z from 'zod';
import { MAX_VECTOR_ZOOM } from '../chart/band-for-zoom.ts';
import { datasetSchema } from '../chart/manifest.ts';
import { MAX_LATITUDE } from '../geo/mercator.ts';
import { REGION_FORMAT, type RegionNote, type RegionRequest } from '../region/region-note.ts';
import type { Fault } from './plain-json.ts';
import { readBox } from './report-list.ts';
import { boxEdges, epochMs } from './units.ts';

export const REGION_PARAMETERS = {
  bbox: 'west,south,east,north in degrees; west is greater than east across 180°',
  maxZoom: `Deepest zoom of the tiles, 0 to ${MAX_VECTOR_ZOOM}; from 15 on all that is stored, which is every detail there is`,
  from: '`id` of a file of the same bbox and maxZoom that was fetched before: the answer is what changed since',
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

/** A query, or every fault in it. @param valuesOf all values of a parameter */
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
    'must be west,south,east,north in degrees, with some extent',
    boundsOf,
  );
  const maxZoom = read('maxZoom', `must be a whole number from 0 to ${MAX_VECTOR_ZOOM}`, zoomOf);
  const from = read('from', 'must be the id of a region', fromOf);
  if (bounds === undefined || maxZoom === undefined || from === undefined) return { faults };
  return { bounds, maxZoom, from: from === 'none' ? undefined : from };
}

/** Boxes are taken round the globe, and cut to where there are tiles. */
function boundsOf(text: string | undefined): RegionRequest['bounds'] | undefined {
  const box = text === undefined ? undefined : readBox(text);
  if (box === undefined) return undefined;
  const south = Math.max(box.south, -MAX_LATITUDE);
  const north = Math.min(box.north, MAX_LATITUDE);
  // Nothing but the meridian of 180° itself, told from either side.
  if (box.west === 180 && box.east === -180) return undefined;
  // A side that lies on 180° belongs to the box's own side of it.
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

const count = z.number().int().nonnegative();

const archiveSchema = z.object({
  offset: count.describe('Where the PMTiles archive begins, in bytes from the start of the file'),
  bytes: count.describe('Its length'),
  tiles: count.describe('Tiles that can be asked for in it'),
  head: z
    .object({ bytes: count, crc32: count })
    .describe('Length and CRC-32 of what lies before its tiles: header, metadata, directories'),
});

/** `region.json` of a file. */
export const regionNoteSchema = z.object({
  format: z.literal(REGION_FORMAT),
  id: z
    .string()
    .regex(ID)
    .describe('Names the bytes of the file: the build, the layout of its tiles, all the rest'),
  build: z.string().describe('Build of the charts'),
  bounds: boxEdges.describe(
    'West, south, east, north, degrees; west is greater than east across 180°',
  ),
  maxZoom: count.max(MAX_VECTOR_ZOOM).describe('As asked for'),
  storedZoom: count.describe('Deepest zoom that a tile of the region is stored at'),
  lastZoom: count.describe(
    'Deepest zoom that it answers for: tiles that are not stored are cut from their ancestors',
  ),
  charted: z
    .boolean()
    .describe(
      'false: no chart lies there, only the small-scale background without depths or dangers',
    ),
  notices: z.array(z.string()).describe('To be shown to whoever looks at the region'),
  /** When the charts were built. */
  madeAt: epochMs,
  cells: z
    .array(
      z.object({
        name: z.string(),
        edition: count,
        update: count,
        issueDate: z.string(),
        usageBand: z
          .number()
          .int()
          .min(1)
          .max(9)
          .describe('1 overview to 6 berthing; 7 to 9 inland'),
        scaleDenominator: z.number().describe('Compilation scale, as a denominator'),
      }),
    )
    .describe('Charts whose boxes touch the region'),
  attributions: z.array(datasetSchema).describe('To be shown by whoever shows the charts'),
  chart: archiveSchema.describe('The tiles'),
  query: archiveSchema.nullable().describe('Features to ask about; null where there are none'),
}) satisfies z.ZodType<RegionNote>;

export const regionPlanSchema = regionNoteSchema.extend({
  bytes: count.describe('Length of the file'),
  etag: z.string().describe('As the file has it: names these very bytes'),
  delta: z
    .object({
      from: z.string().describe('`id` of the file that it is for'),
      bytes: count.describe('Length of the delta'),
      etag: z.string(),
      changed: count.describe('Stored tiles that are new or other than before'),
      removed: count.describe('Stored tiles of the older file that are not in the new one'),
    })
    .nullable()
    .describe('What changed since the file named by `from`; null where none was named'),
});

export type RegionPlanAnswer = z.input<typeof regionPlanSchema>;
