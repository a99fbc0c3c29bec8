// The manifest of a build: its archives, its inputs and their quality. The build writes it, the Worker serves from
// it, and the attributions endpoint is a view of it.

import * as z from 'zod';
import { PART_LINE } from './part-line.ts';

const problem = z.object({
  code: z.string(),
  message: z.string(),
  file: z.string().optional(),
  severity: z.enum(['error', 'warning']),
});

const archiveSchema = z.object({
  /** Tileset, for example `enc-v2`. */
  tileset: z.string(),
  /** Zoom of the tile that is one world: above 0 if worlds lie side by side, as in the query archive. */
  worldZoom: z.number().int().min(0).max(8),
  minZoom: z.number().int(),
  maxZoom: z.number().int(),
  /** Sums of all parts. */
  bytes: z.number().int().nonnegative(),
  tiles: z.number().int().nonnegative(),
  /** The PMTiles files, one per region, as `part-index.ts` reads them: the base first, then by tile id of the region. */
  parts: z.array(z.string().regex(PART_LINE)),
  /**
   * The heads (header and directories) of the first parts, base64, as many as are small: a new isolate with the
   * manifest finds their tiles without reading them.
   */
  heads: z.array(z.string()),
});

const cellSchema = z.object({
  name: z.string(),
  edition: z.number().int(),
  update: z.number().int(),
  issueDate: z.string(),
  usageBand: z.number().int(),
  scaleDenominator: z.number(),
  agency: z.number().int(),
  /** West, south, east, north, in degrees; west is greater than east across 180°. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  features: z.number().int(),
  status: z.enum(['used', 'used-partly', 'cancelled', 'refused']),
  recordCountsMatch: z.boolean(),
  skinDeviation: z.number(),
  problems: z.array(problem),
  /** If the cell was encrypted (S-63): its data server, and the last day of its permit, yyyymmdd. */
  s63: z
    .object({
      dataServer: z.string(),
      expires: z.string(),
      /** Whether the chart is out of date after that day; absent in older builds. */
      isSubscription: z.boolean().optional(),
    })
    .optional(),
});

/** The fields of the dataset attribution record in the contract. */
export const datasetSchema = z
  .object({
    id: z.string().describe('Id of the source'),
    shortDescription: z.string().describe('Credit to display with the chart'),
    longDescription: z.string().describe('Credit, licence and notice as sentences'),
    sourceUrl: z.string().optional().describe('Address of the source'),
    dataSourcedAt: z.number().int().describe('Time of the newest chart file, epoch milliseconds'),
    dataProcessedAt: z.number().int().describe('Time of the build, epoch milliseconds'),
  })
  .meta({ id: 'Attribution', description: 'A source of the charts' });

/** Changes when earlier readers cannot read the manifest. */
export const MANIFEST_FORMAT = 3;

export const manifestSchema = z.object({
  format: z.literal(MANIFEST_FORMAT),
  /** Digest of all content except times: the same input gives the same id at any time. */
  buildId: z.string().regex(/^[0-9a-z-]{8,64}$/),
  schemaVersion: z.string(),
  /** The account whose charts these are; absent for the public charts. */
  set: z.string().optional(),
  /** The smallest box around all used cells, in the same form as theirs. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  archives: z.array(archiveSchema),
  cells: z.array(cellSchema),
  datasets: z.array(datasetSchema),
  /** If cells were encrypted (S-63): whether regions may be extracted to files. */
  s63: z.object({ extracts: z.boolean() }).optional(),
  /** SHA-256 of all other content (`read-manifest.ts`). */
  sum: z.string(),
});

export type Archive = z.infer<typeof archiveSchema>;
export type ManifestCell = z.infer<typeof cellSchema>;
export type Dataset = z.infer<typeof datasetSchema>;

/** The line to display with a chart of these sources. */
export const chartAttribution = (datasets: readonly Dataset[]): string =>
  [...datasets.map((set) => set.shortDescription), 'Not for navigation'].join(' · ');
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * The manifest without the times at which its data were obtained and processed, and without their sum: equal for
 * two builds of the same data.
 */
export function withoutTimes<M extends Pick<Manifest, 'datasets'>>(
  manifest: M,
): M & { readonly sum: undefined } {
  const datasets = manifest.datasets.map((dataset) => {
    return { ...dataset, dataSourcedAt: 0, dataProcessedAt: 0 };
  });
  return { ...manifest, datasets, sum: undefined };
}

/**
 * Key of the object with the complete manifest of the current build. It and the list of builds that were current
 * are the only objects that are replaced.
 */
export const POINTER_KEY = 'current.json';

/** Key of the list of the builds that were current, oldest first. */
export const HISTORY_KEY = 'history.json';

export const historySchema = z.object({ format: z.literal(1), buildIds: z.array(z.string()) });

/** File name of the manifest in a folder or below the keys of a build. */
export const MANIFEST_FILE = 'manifest.json';

/** Prefix of the keys of all builds' objects. */
export const BUILDS_PREFIX = 'builds/';

/** Key of the manifest of a build. Builds are never overwritten. */
export function manifestKey(buildId: string): string {
  return `${BUILDS_PREFIX}${buildId}/${MANIFEST_FILE}`;
}

/** The build to which an object belongs, by its key; `undefined` for other keys. */
export function buildIdOfKey(key: string): string | undefined {
  return /^builds\/([0-9a-z-]{8,64})\/[^/]+$/.exec(key)?.[1];
}
