// Runs a build in a separate process and reports its time and memory: `measured-build.ts CELLS OUT WORKERS
// SHARED [BUCKET]`. With the folder of a bucket it also publishes the build. The last line of output is JSON, a
// `MeasuredBuild`.

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MANIFEST_FILE } from '../../shared/chart/manifest.ts';
import { PARTS_PREFIX } from '../../shared/chart/part-line.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { openFolderBucket } from '../../tiles-build/publish/folder-bucket.ts';
import { publishBuild } from '../../tiles-build/publish/publish.ts';

export interface MeasuredBuild {
  /** Processor time of all threads. */
  readonly cpuSeconds: number;
  /** Peak memory of the process with all threads, in MB. */
  readonly megabytes: number;
  /** Peak memory of the main thread, in MB: its heap and external memory. */
  readonly mainMegabytes: number;
  /** Wall time of each stage, in order. */
  readonly stages: readonly (readonly [name: string, seconds: number])[];
  /** From the start of the process to the end of the build and of publishing. */
  readonly wallSeconds: number;
  readonly cells: number;
  readonly buildId: string;
  /** Bytes of all archives. */
  readonly archiveBytes: number;
  /** Parts that were uploaded, and their bytes. */
  readonly uploadedParts: number;
  readonly uploadedBytes: number;
  readonly manifestBytes: number;
}

/**
 * Build charts of the cells in a folder, and measure it.
 * @param shared folder of the cache that builds share; if undefined, everything is made again
 * @param bucket folder to publish to
 */
export function measureBuild(
  cells: string,
  out: string,
  workers: number,
  shared = join(out, '.cache', 'shared'),
  bucket?: string,
): MeasuredBuild {
  const child = spawnSync(
    process.execPath,
    [
      ...['--import', 'tsx', fileURLToPath(import.meta.url)],
      ...[cells, out, `${workers}`, shared],
      ...(bucket === undefined ? [] : [bucket]),
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (child.status !== 0) throw new Error(`the build ended with ${child.status}: ${child.stderr}`);
  return JSON.parse(child.stdout.trim().split('\n').at(-1)!) as MeasuredBuild;
}

const LOOK_MS = 100;

async function main([cells, out, workers, shared, bucket]: readonly string[]): Promise<void> {
  const starts: [string, number][] = [];
  let mainMost = 0;
  const look = () => {
    const { heapTotal, external } = process.memoryUsage();
    mainMost = Math.max(mainMost, heapTotal + external);
  };
  const timer = setInterval(look, LOOK_MS);
  const { manifest } = await buildCharts({
    enc: [cells!],
    out: out!,
    sharedCache: shared!,
    jobs: Number(workers),
    processedAt: 0,
    progress: {
      start: (stage) => starts.push([stage, performance.now()]),
      step: look,
    },
  });
  if (bucket !== undefined) starts.push(['Publishing', performance.now()]);
  const published =
    bucket === undefined ? [] : (await publishBuild(out!, openFolderBucket(bucket))).uploaded;
  const parts = published.filter((key) => key.startsWith(PARTS_PREFIX));
  clearInterval(timer);
  const ends = [...starts.slice(1).map(([, at]) => at), performance.now()];
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const measured: MeasuredBuild = {
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    megabytes: maxRSS / 1024,
    mainMegabytes: mainMost / 2 ** 20,
    stages: starts.map(([name, at], i) => [name, (ends[i]! - at) / 1000]),
    wallSeconds: performance.now() / 1000,
    cells: manifest.cells.filter(({ status }) => status.startsWith('used')).length,
    buildId: manifest.buildId,
    archiveBytes: manifest.archives.reduce((sum, { bytes }) => sum + bytes, 0),
    uploadedParts: parts.length,
    uploadedBytes: parts.reduce((sum, key) => sum + statSync(join(bucket!, key)).size, 0),
    manifestBytes: statSync(join(out!, MANIFEST_FILE)).size,
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
