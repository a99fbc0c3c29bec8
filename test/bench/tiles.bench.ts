// Tiles per second on a direct socket, warm from memory and cold from the bucket, against a bare
// Hono route in the same runtime and run; and what a tile costs in reads of the bucket.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Miniflare, type MiniflareOptions } from 'miniflare';
import { writeDemoCharts } from '../../tiles-build/demo/write-demo-charts.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { openLocalBucket } from '../../tiles-build/publish/local-bucket.ts';
import { publishBuild } from '../../tiles-build/publish/publish.ts';
import { freePort } from '../../workers/admin/database/process.ts';
import {
  type KeyStore,
  mintDevelopmentToken,
  newKey,
  newUserTokenSecret,
} from '../../workers/admin/keys.ts';
import { bundleWorker } from '../../workers/local/bundle.ts';
import { miniflareOptions } from '../../workers/local/miniflare-options.ts';
import { NO_LIMITS } from '../support/service.ts';
import { type StoredTile, someTiles } from './demo-tiles.ts';
import { CONNECTIONS, type Got, getOnce, loadClient, requestsPerSecond } from './load.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const SEED = 20_261_121;
const WARM_TILES = 128;
const COLD_TILES = 240;
const ROUNDS = 2;
const SECONDS = 2;
const GOAL = 0.7;

export interface TileFigures {
  readonly warmPerSecond: number;
  readonly barePerSecond: number;
  readonly warmRatio: number;
  readonly coldPerSecond: number;
  readonly readsFirst: number;
  readonly readsSecond: number;
  readonly readsColdMean: number;
  readonly checksum: string;
}

/** Runs the bench and prints it. @throws Error when a tile is not what the archive holds */
export async function run(): Promise<TileFigures> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-tiles-'));
  let runtime: Miniflare | undefined;
  try {
    const charts = await demoCharts();
    const tiles = await someTiles(join(charts, 'enc-v2.pmtiles'), COLD_TILES, SEED);
    const meanBytes = tiles.reduce((sum, tile) => sum + tile.bytes.length, 0) / tiles.length;
    const bucket = await openLocalBucket(scratch);
    await publishBuild(charts, bucket);
    await bucket.close();

    const keys: KeyStore = { keys: [await newKey()] };
    const port = await freePort(0);
    runtime = await startRuntime(scratch, port, keys, Math.round(meanBytes));
    const authorization = `Bearer ${await mintDevelopmentToken(keys)}`;
    const headers = { authorization, 'accept-encoding': 'gzip' };

    const cold = await fetchAll(port, tiles, headers);
    const warmPaths = tiles.slice(0, WARM_TILES).map(({ path }) => path);
    const barePaths = warmPaths.map((path) => path.replace(/^.*enc-v2/, '/bare'));
    const rates = { warm: [] as number[], bare: [] as number[] };
    for (let round = -1; round < ROUNDS; round++) {
      // The first round warms up and does not count.
      const bare = await requestsPerSecond(
        { port, paths: barePaths, headers, seconds: SECONDS },
        scratch,
      );
      const warm = await requestsPerSecond(
        { port, paths: warmPaths, headers, seconds: SECONDS },
        scratch,
      );
      if (round < 0) continue;
      rates.bare.push(bare);
      rates.warm.push(warm);
    }
    const warmPerSecond = median(rates.warm);
    const barePerSecond = median(rates.bare);
    const figures: TileFigures = {
      warmPerSecond,
      barePerSecond,
      warmRatio: median(rates.warm.map((warm, round) => warm / rates.bare[round]!)),
      ...cold,
    };
    print(figures, meanBytes);
    return figures;
  } finally {
    await runtime?.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function print(figures: TileFigures, meanBytes: number): void {
  const rate = (value: number) => `${value.toFixed(0).padStart(6)} requests/s`;
  console.log(
    `${COLD_TILES} vector tiles of the demo charts, ${meanBytes.toFixed(0)} bytes on average (seed ${SEED}); ` +
      `${loadClient}, ${CONNECTIONS} connections`,
  );
  console.log(`bare Hono route     ${rate(figures.barePerSecond)}`);
  console.log(`warm tiles          ${rate(figures.warmPerSecond)}`);
  console.log(`warm against bare   ${figures.warmRatio.toFixed(2)} (goal: ${GOAL})`);
  console.log(`cold tiles          ${rate(figures.coldPerSecond)} (own client, each tile once)`);
  console.log(
    `bucket reads: ${figures.readsFirst} for the first tile of an isolate (goal: 2), ` +
      `${figures.readsSecond} for the next (goal: 1), ${figures.readsColdMean.toFixed(3)} on average`,
  );
  console.log(`checksum ${figures.checksum}`);
}

/** The embedded charts, built once and kept where the tests keep them. */
async function demoCharts(): Promise<string> {
  const folder = join(REPOSITORY, 'node_modules', '.cache', 'leadline-test');
  const charts = join(folder, 'charts');
  await writeDemoCharts(join(folder, 'cells'));
  await buildCharts({ enc: [join(folder, 'cells')], out: charts, jobs: 2 });
  return charts;
}

async function startRuntime(
  dataDir: string,
  port: number,
  keys: KeyStore,
  bareBytes: number,
): Promise<Miniflare> {
  const modules = await bundleWorker(join(import.meta.dirname, 'tiles-entry.ts'));
  const settings = { ...NO_LIMITS, BARE_BYTES: String(bareBytes) };
  const userTokenSecret = newUserTokenSecret();
  const runtime = new Miniflare({
    ...miniflareOptions({
      modules,
      keys,
      userTokenSecret,
      dataDir,
      port,
      settings,
      isAlone: true,
    }),
    // Logs are written as in service, and thrown away.
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      out.resume();
      err.resume();
    },
  } as MiniflareOptions);
  await runtime.ready;
  return runtime;
}

/** Each tile once, checked against the archive: one alone, one more alone, then the rest. */
async function fetchAll(
  port: number,
  tiles: readonly StoredTile[],
  headers: Readonly<Record<string, string>>,
): Promise<
  Pick<TileFigures, 'coldPerSecond' | 'readsFirst' | 'readsSecond' | 'readsColdMean' | 'checksum'>
> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const hash = createHash('sha256');
  const get = async ({ path, bytes }: StoredTile): Promise<number> => {
    const got = await getOnce(port, path, headers, agent);
    if (got.status !== 200 || !got.body.equals(bytes)) {
      throw new Error(`${path} is not what the archive holds (${got.status}).`);
    }
    return readsOf(got);
  };
  const readsFirst = await get(tiles[0]!);
  const readsSecond = await get(tiles[1]!);
  let at = 2;
  let reads = 0;
  const started = performance.now();
  const client = async () => {
    while (at < tiles.length) reads += await get(tiles[at++]!);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  for (const { path, bytes } of tiles) hash.update(path).update(bytes);
  return {
    coldPerSecond: (tiles.length - 2) / seconds,
    readsFirst,
    readsSecond,
    readsColdMean: reads / (tiles.length - 2),
    checksum: hash.digest('hex').slice(0, 16),
  };
}

const readsOf = ({ serverTiming }: Got): number =>
  Number(/desc="(\d+) reads"/.exec(serverTiming)?.[1] ?? Number.NaN);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
