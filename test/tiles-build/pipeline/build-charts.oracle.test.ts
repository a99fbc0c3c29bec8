// Whole builds of a few real cells: the files, that they are reproducible, and that a second build does
// nothing. `changed-cells.system.test.ts` covers changes, with small cells.

import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestSchema } from '../../../shared/chart/manifest.ts';
import { PartIndex, partsOf } from '../../../shared/chart/part-index.ts';
import { partKey } from '../../../shared/chart/part-line.ts';
import { tileBounds } from '../../../shared/geo/tile.ts';
import { openArchive } from '../../../tiles-build/archive/file-source.ts';
import { type BuildOptions, buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import type { BuildPool } from '../../../tiles-build/pipeline/build-context.ts';
import { NoCharts } from '../../../tiles-build/pipeline/build-report.ts';
import { openBuildThreads } from '../../../tiles-build/pipeline/build-threads.ts';
import { TILESETS } from '../../../tiles-build/pipeline/tilesets.ts';
import { readBuild } from '../../../tiles-build/publish/build-folder.ts';
import { areaFeature, boxRing, writeLayer } from '../../support/background-files.ts';
import { buildFiles } from '../../support/build-files.ts';
import { keptThread } from '../../support/build-threads.ts';
import { copyFolder } from '../../support/copy-folder.ts';
import { encData } from '../../support/enc-data.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const ENC_ROOT = encData('ENC_ROOT');

/** Two neighbours, a cell of the next coarser band below them, and a cell far from them. */
const CELLS = ['US5AK5PE', 'US5AK5QF', 'US4AK4PG', 'US5AK5SI'];

/** Time of the newest cell file, seconds since 1970. */
const OBTAINED = 1_750_000_000;

const scratch = scratchFolder();
const background = join(scratch, 'background');
beforeAll(() => {
  writeLayer(background, 'ne_10m_land', [areaFeature([boxRing(-153, 59.5, -151, 61)])]);
});

let folders = 0;
const newFolder = (name: string): string => {
  const folder = join(scratch, `${name}-${folders++}`);
  mkdirSync(folder);
  return folder;
};

/** A folder with copies of the cells. */
function cellsFolder(): string {
  const folder = newFolder('cells');
  for (const name of CELLS) copyFolder(join(ENC_ROOT, name), join(folder, name));
  return folder;
}

/**
 * The threads shared by most builds. New threads load and compile all code again, which takes longer than
 * building so few cells.
 */
let threads: BuildPool;
const pool: BuildPool = {
  size: 2,
  run: (job) => threads.run(job),
  close: async () => undefined,
};

const build = (enc: string, out: string, more: Partial<BuildOptions> = {}) =>
  buildCharts({ enc: [enc], out, background, jobs: 2, pool, ...more });

describe.runIf(existsSync(ENC_ROOT))('building real cells', () => {
  let enc: string;
  let out: string;
  let first: Awaited<ReturnType<typeof build>>;
  let began: number;
  beforeAll(async () => {
    threads = openBuildThreads(2);
    enc = cellsFolder();
    for (const [i, name] of CELLS.entries()) {
      utimesSync(join(enc, name, `${name}.000`), OBTAINED - i, OBTAINED - i);
    }
    out = newFolder('charts');
    began = Date.now();
    first = await build(enc, out);
  });
  afterAll(() => threads?.close());

  it('writes archives and a manifest that describes them', async () => {
    const { manifest } = await readBuild(out);
    expect(manifestSchema.parse(manifest)).toEqual(first.manifest);
    expect(manifest.archives.map(({ tileset }) => tileset)).toEqual([...TILESETS]);
    const named = partsOf(manifest).map(({ sha256 }) => partKey(sha256));
    expect(Object.keys(buildFiles(out))).toEqual(['manifest.json', ...new Set(named.sort())]);
    expect(manifest.cells.map(({ name, status }) => [name, status])).toEqual(
      [...CELLS].sort().map((name) => [name, 'used']),
    );
    expect(manifest.bounds).toEqual([-152.4, 59.325, -151.35, 59.7]);
    for (const dataset of manifest.datasets) {
      expect(dataset.longDescription.toLowerCase()).toContain('not for navigation');
    }
  });

  it('records when it ran and when the newest file was obtained', () => {
    const [cells, land] = first.manifest.datasets;
    expect(cells!.dataProcessedAt).toBeGreaterThanOrEqual(began);
    expect(cells!.dataProcessedAt).toBeLessThanOrEqual(Date.now());
    expect(land!.dataProcessedAt).toBe(cells!.dataProcessedAt);
    expect(cells!.dataSourcedAt).toBe(OBTAINED * 1000);
    expect(land!.dataSourcedAt).toBe(
      Math.floor(statSync(join(background, 'ne_10m_land.geojson')).mtimeMs),
    );
  });

  it('prefers the provenance of a download to the time of a copied file', async () => {
    const fetched = cellsFolder();
    const note = { format: 1, sourcedAt: 1_700_000_000_000, sourceUrl: 'https://example.org/enc' };
    writeFileSync(join(fetched, 'leadline-source.json'), JSON.stringify(note));
    const { manifest } = await build(fetched, newFolder('charts'), {
      cache: join(out, '.cache'),
      processedAt: 5,
    });
    expect(manifest.datasets[0]).toMatchObject({
      dataSourcedAt: 1_700_000_000_000,
      dataProcessedAt: 5,
      sourceUrl: 'https://example.org/enc',
    });
  });

  it('gives the same build id whatever the times', async () => {
    const [path] = [join(enc, 'US5AK5SI', 'US5AK5SI.000')];
    utimesSync(path, 2_000_000_000, 2_000_000_000);
    const { manifest } = await build(enc, out, { processedAt: 9_000_000_000_000 });
    utimesSync(path, OBTAINED - 3, OBTAINED - 3);
    expect(manifest.datasets[0]).toMatchObject({
      dataSourcedAt: 2_000_000_000_000,
      dataProcessedAt: 9_000_000_000_000,
    });
    expect(manifest.buildId).toBe(first.manifest.buildId);
    writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(first.manifest, null, 1)}\n`);
  });

  it('reports the work of a first build: every cell read and cut', () => {
    expect(first.work.scanned).toEqual([...CELLS].sort());
    expect(first.work.sliced).toEqual([...CELLS, 'background'].sort());
    expect(first.work.merged.length).toBeGreaterThan(0);
    expect(first.mergedTiles['enc-v2']).toBeGreaterThan(0);
  });

  it('writes parts that a PMTiles reader opens, with the zooms and bounds of their tiles', async () => {
    const zooms: Record<string, [number, number]> = {};
    for (const archive of first.manifest.archives) {
      for (const part of PartIndex.of(archive).parts) {
        const { archive: reader, close } = await openArchive(join(out, partKey(part.sha256)));
        const header = await reader.getHeader();
        const metadata = (await reader.getMetadata()) as Record<string, string>;
        expect(header).toMatchObject({
          numAddressedTiles: part.tiles,
          minZoom: part.minZoom,
          maxZoom: part.maxZoom,
        });
        const bounds = [header.minLon, header.minLat, header.maxLon, header.maxLat];
        if (part.region !== undefined) {
          for (const [i, degrees] of tileBounds(part.region).entries()) {
            expect(bounds[i]).toBeCloseTo(degrees, 6);
          }
        }
        expect(metadata['description']).toContain('Not for navigation');
        expect(metadata['name']).toBe(archive.tileset);
        await close();
      }
      zooms[archive.tileset] = [archive.minZoom, archive.maxZoom];
    }
    expect(zooms['enc-v2']).toEqual([0, 15]);
    expect(zooms['data-geojson-v1']![0]).toBe(10);
  });

  it('makes the same bytes again, with one worker or two', async () => {
    const again = newFolder('charts');
    await build(enc, again, { jobs: 1, pool: keptThread() });
    expect(buildFiles(again)).toEqual(buildFiles(out));
  });

  it('does nothing if nothing changed', async () => {
    const before = buildFiles(out);
    const { work } = await build(enc, out);
    expect(work).toEqual({ scanned: [], sliced: [], merged: [], written: [] });
    expect(buildFiles(out)).toEqual(before);
  });

  it('replaces a damaged part', async () => {
    const shoreline = first.manifest.archives.find((one) => one.tileset === 'data-shoreline-v1')!;
    const [base] = PartIndex.of(shoreline).parts;
    const path = join(out, partKey(base!.sha256));
    const before = buildFiles(out);
    writeFileSync(path, readFileSync(path).subarray(0, 1000));
    const { work } = await build(enc, out);
    expect(work.written).toEqual(['data-shoreline-v1:base']);
    expect(work.merged).toEqual([]);
    expect(buildFiles(out)).toEqual(before);
  });

  it('keeps existing charts if no cell can be used', async () => {
    const hopeless = newFolder('cells');
    writeFileSync(join(hopeless, 'US5AK5QF.000'), 'this is no cell');
    const before = buildFiles(out);
    await expect(build(hopeless, out)).rejects.toThrow(NoCharts);
    expect(buildFiles(out)).toEqual(before);
  });
});
