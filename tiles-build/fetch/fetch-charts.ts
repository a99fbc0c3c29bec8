// Downloads cells and background files to a folder for `build --enc` and `--background`, and
// records time and source of the download for the build.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Download, download, type RetryOptions } from './download.ts';
import { writeProvenance } from './provenance.ts';
import { BACKGROUND_LAYERS, isCellName, type Sources } from './sources.ts';
import { checkCellZip } from './zip-check.ts';

interface FetchOptions {
  readonly cells: readonly string[];
  readonly withBackground: boolean;
  readonly out: string;
  readonly sources: Sources;
  /** Current time in epoch milliseconds. */
  readonly now: number;
  readonly report: (line: string) => void;
  /** Retry and time limits; see `download`. */
  readonly retry?: RetryOptions;
}

interface Fetched {
  readonly downloaded: number;
  readonly unchanged: number;
  /** One message per failed file. */
  readonly failures: readonly string[];
}

interface Wanted {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  readonly check?: (path: string) => Promise<void>;
}

/** Download all requested files. A failure does not stop the others. */
export async function fetchCharts(options: FetchOptions): Promise<Fetched> {
  const cells = options.cells.map((name) => name.toUpperCase());
  const failures = cells
    .filter((name) => !isCellName(name))
    .map((name) => `${name} is not a valid cell name. Expected a name like US5WA22M.`);
  const cellFolder = join(options.out, 'cells');
  const backgroundFolder = join(options.out, 'background');
  const batches: readonly [string, string, readonly Wanted[]][] = [
    [
      cellFolder,
      options.sources.noaa,
      [...new Set(cells.filter(isCellName))].map((name) => ({
        name,
        url: `${options.sources.noaa}/${name}.zip`,
        path: join(cellFolder, `${name}.zip`),
        check: (path: string) => checkCellZip(path, name),
      })),
    ],
    [
      backgroundFolder,
      options.sources.naturalEarth,
      (options.withBackground ? BACKGROUND_LAYERS : []).map((layer) => ({
        name: layer,
        url: `${options.sources.naturalEarth}/${layer}.geojson`,
        path: join(backgroundFolder, `${layer}.geojson`),
        check: (path: string) => checkFeatureCollection(path, layer),
      })),
    ],
  ];

  let downloaded = 0;
  let unchanged = 0;
  for (const [folder, sourceUrl, files] of batches) {
    if (files.length === 0) continue;
    await mkdir(folder, { recursive: true });
    let isNew = false;
    for (const file of files) {
      const result = await fetchOne(file, options);
      if (typeof result === 'string') failures.push(result);
      else if (result.kind === 'unchanged') unchanged++;
      else {
        downloaded++;
        isNew = true;
      }
    }
    if (isNew) await writeProvenance(folder, { format: 1, sourcedAt: options.now, sourceUrl });
  }
  return { downloaded, unchanged, failures };
}

async function fetchOne(
  file: Wanted,
  options: FetchOptions,
): Promise<Exclude<Download, { kind: 'missing' }> | string> {
  try {
    const { name, ...what } = file;
    const result = await download({ ...options.retry, ...what });
    if (result.kind === 'missing') return `${name} was not found at ${file.url}.`;
    options.report(`${name}  ${result.kind}  ${result.bytes} bytes`);
    return result;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function checkFeatureCollection(path: string, layer: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  try {
    if (JSON.parse(text)?.type === 'FeatureCollection') return;
  } catch {
    // Reported below.
  }
  throw new Error(`${layer}: the download is not a GeoJSON feature collection.`);
}
