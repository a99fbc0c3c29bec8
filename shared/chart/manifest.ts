// The manifest of one build: what the archives are, what went into them and how good it was. The
// build writes it, the Worker serves from it, and the attributions endpoint is a view of it.

import * as z from 'zod';

const problem = z.object({
  code: z.string(),
  message: z.string(),
  file: z.string().optional(),
  severity: z.enum(['error', 'warning']),
});

const archiveSchema = z.object({
  /** Tileset, e.g. `enc-v2`, `data-geojson-v1`, `data-shoreline-v1`. */
  tileset: z.string(),
  /** Object key relative to the build's folder, e.g. `enc-v2.pmtiles`. */
  file: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  minZoom: z.number().int(),
  maxZoom: z.number().int(),
  tiles: z.number().int().nonnegative(),
  /**
   * The archive's first bytes (header and root directory), base64: a fresh isolate that holds the
   * manifest needs no read of its own to find a tile, and a damaged header is noticed.
   */
  head: z.string(),
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
});

/** Exactly the fields of the contract's dataset attribution record. */
export const datasetSchema = z.object({
  id: z.string(),
  shortDescription: z.string(),
  longDescription: z.string(),
  sourceUrl: z.string().optional(),
  dataSourcedAt: z.number().int().describe('Epoch milliseconds'),
  dataProcessedAt: z.number().int().describe('Epoch milliseconds'),
});

export const manifestSchema = z.object({
  format: z.literal(2),
  /** Of everything but times: the same input gives the same id, whenever it came and was built. */
  buildId: z.string().regex(/^[0-9a-z-]{8,64}$/),
  schemaVersion: z.string(),
  /** The smallest box around all cells that are used, as theirs are written. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  archives: z.array(archiveSchema),
  cells: z.array(cellSchema),
  datasets: z.array(datasetSchema),
  /** SHA-256 of all the rest (`read-manifest.ts`). */
  sum: z.string(),
});

export type Archive = z.infer<typeof archiveSchema>;
export type ManifestCell = z.infer<typeof cellSchema>;
export type Dataset = z.infer<typeof datasetSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Without when its data were obtained and processed, and the sum of it with those times: what two builds
 * of the same data have alike.
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
 * Key of the object that is the current build's whole manifest. It and the list of builds that were
 * current are the only objects ever replaced.
 */
export const POINTER_KEY = 'current.json';

/** Name of the manifest in the folder or under the keys of a build. */
export const MANIFEST_FILE = 'manifest.json';

/** What the keys of all builds' objects begin with. */
export const BUILDS_PREFIX = 'builds/';

/** Key of an object of a build. Builds are never overwritten. */
export function buildKey(buildId: string, file: string): string {
  return `${BUILDS_PREFIX}${buildId}/${file}`;
}

/** The build that an object belongs to by its key; undefined for keys of anything else. */
export function buildIdOfKey(key: string): string | undefined {
  return /^builds\/([0-9a-z-]{8,64})\/[^/]+$/.exec(key)?.[1];
}
