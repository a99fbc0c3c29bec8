// Archives in parts: bytes uploaded when one harbour cell gets an update, compared with the whole archives,
// the bucket reads of cold tiles, and the size and cost of the index for a country.

import { copyFileSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tileIdToZxy } from 'pmtiles';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { PartIndex, partsOf } from '../../shared/chart/part-index.ts';
import { readPartLine } from '../../shared/chart/part-line.ts';
import { readManifest, withSum } from '../../shared/chart/read-manifest.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { sha256 } from '../../tiles-build/archive/file-digest.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { openFolderBucket } from '../../tiles-build/publish/folder-bucket.ts';
import { publishBuild } from '../../tiles-build/publish/publish.ts';
import { encData, hasEncData } from '../support/enc-data.ts';
import { forgetCharts } from '../support/forget-charts.ts';
import { NO_EDGE_CACHE } from '../support/route/cold-trips.ts';
import { archiveOf, tilesIn } from '../support/whole-archive.ts';
import { goalLines } from './goals.ts';

const CELL = 'US5WA22M';
const UPDATE = `${CELL}.004`;
const COUNTRY_REGIONS = 1024;

/** Runs the bench and prints it. */
export async function run(): Promise<void> {
  if (!hasEncData) {
    console.log('skipped: no cells (set LEADLINE_ENC_DIR)');
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-parts-'));
  try {
    const [cells, charts] = [join(scratch, 'cells'), join(scratch, 'charts')];
    cpSync(encData('ENC_ROOT'), cells, { recursive: true });
    rmSync(join(cells, CELL, UPDATE));
    const bucket = openFolderBucket(join(scratch, 'store'));
    const publish = async () => {
      const { manifest, work } = await buildCharts({ enc: [cells], out: charts, jobs: 2 });
      const { uploaded } = await publishBuild(charts, bucket);
      const bytes = uploaded.map((key) => statSync(join(scratch, 'store', key)).size);
      return { manifest, work, uploaded: bytes.length, bytes: bytes.reduce((a, b) => a + b, 0) };
    };
    await publish();
    copyFileSync(encData('ENC_ROOT', CELL, UPDATE), join(cells, CELL, UPDATE));
    const after = await publish();
    printUpload(after, statSync(join(charts, 'manifest.json')).size);
    await printReads(charts, after.manifest);
    await printIndex(after.manifest);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Update {
  readonly manifest: Manifest;
  readonly work: { readonly written: readonly string[] };
  readonly uploaded: number;
  readonly bytes: number;
}

function printUpload({ manifest, work, uploaded, bytes }: Update, manifestBytes: number): void {
  const mega = (value: number) => `${(value / 1e6).toFixed(1)} MB`;
  const whole = manifest.archives.reduce((sum, archive) => sum + archive.bytes, 0);
  for (const { tileset, parts } of manifest.archives) {
    const regions = work.written.flatMap((name) => name.split(`${tileset}:`)[1] ?? []);
    console.log(
      `${tileset.padEnd(18)} ${parts.length} parts, written: ${regions.join(', ') || 'none'}`,
    );
  }
  console.log(
    `one update of ${CELL}: ${uploaded} objects of ${mega(bytes)} uploaded, ${mega(manifestBytes)} of them the ` +
      `manifest; all archives have ${mega(whole)}`,
  );
  const [goal] = goalLines([
    {
      name: 'bytes uploaded against all archives',
      reached: (100 * bytes) / whole,
      most: 30,
      unit: '%',
      cause: 'the parts above',
    },
  ]);
  console.log(goal);
}

/** Reads of cold vector tiles, with the heads in the manifest and without. */
async function printReads(charts: string, manifest: Manifest): Promise<void> {
  Object.assign(globalThis, { caches: NO_EDGE_CACHE });
  const { findTile } = await import('../../workers/service/charts/tile-store.ts');
  let reads = 0;
  const env = {
    TILES: {
      get: async (key: string, { range }: { range: { offset: number; length: number } }) => {
        reads++;
        const file = await open(join(charts, key));
        const bytes = new Uint8Array(range.length);
        await file.read(bytes, 0, range.length, range.offset);
        const { size } = await file.stat();
        await file.close();
        return { size, arrayBuffer: async () => bytes.buffer };
      },
    },
  } as never;
  const { parts } = PartIndex.of(archiveOf(manifest, 'enc-v2'));
  const [one, other] = [...parts].sort((a, b) => b.tiles - a.tiles);
  const deepest = (part: (typeof parts)[number]): TileId[] =>
    tilesIn(charts, part).map(({ tileId }) => {
      const [z, x, y] = tileIdToZxy(tileId);
      return { z, x, y };
    });
  const [first, second] = deepest(one!).slice(-2) as [TileId, TileId];
  const third = deepest(other!).at(-1)!;
  for (const [name, archives] of [
    ['heads in the manifest', manifest.archives],
    ['no heads in the manifest', manifest.archives.map((one) => ({ ...one, heads: [] }))],
  ] as const) {
    forgetCharts(manifest);
    const counts: number[] = [];
    for (const tile of [first, second, third]) {
      reads = 0;
      const cost = { bucketReads: 0, from: '', defer: () => undefined };
      await findTile(env, { ...manifest, archives: [...archives] }, 'enc-v2', tile, cost);
      counts.push(reads);
    }
    const [a, b, c] = counts;
    console.log(
      `${name}: reads besides the pointer: ${a} for the first tile, ${b} for the next in its region, ` +
        `${c} for the first of another region`,
    );
  }
}

/** The index of a country: the lines of a part for each tile of zoom 5 in each archive. */
async function printIndex(manifest: Manifest): Promise<void> {
  const archives = manifest.archives.map((archive) => {
    const last = archive.parts.at(-1)!;
    const parts = Array.from({ length: COUNTRY_REGIONS }, (_, i) =>
      last.replace(/^\S+/, `5/${i % 32}/${Math.floor(i / 32)}`),
    );
    const { bytes, tiles } = readPartLine(last);
    const sums = { bytes: bytes * COUNTRY_REGIONS, tiles: tiles * COUNTRY_REGIONS };
    return { ...archive, parts, heads: [], ...sums };
  });
  const { sum: _, ...rest } = manifest;
  const text = JSON.stringify(await withSum({ ...rest, archives, cells: [] }, sha256));
  const before = process.cpuUsage();
  const parts = partsOf(await readManifest(text, sha256)).length;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `index of ${parts} parts: ${(text.length / 1e3).toFixed(0)} kB in the manifest, ` +
      `${((user + system) / 1000).toFixed(0)} ms of CPU to read and check`,
  );
}
