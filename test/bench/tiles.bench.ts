// Processor time of a tile on a direct socket, warm from memory, compared with a bare Hono route in the
// same runtime and run. Also tiles per second cold from the bucket, and the bucket reads per tile.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Miniflare, type MiniflareOptions } from 'miniflare';
import { publishBuild } from '../../tiles-build/publish/publish.ts';
import {
  type KeyStore,
  mintDevelopmentToken,
  newKey,
  newUserTokenSecret,
} from '../../workers/host/admin/keys.ts';
import { bundleWorker } from '../../workers/host/bundle/bundle.ts';
import { openLocalBucket } from '../support/local-bucket.ts';
import { miniflareOptions, portOf } from '../support/miniflare-options.ts';
import { NO_LIMITS } from '../support/service.ts';
import { wholeArchive } from '../support/whole-archive.ts';
import { demoCharts } from './bench-charts.ts';
import { type StoredTile, someTiles } from './demo-tiles.ts';
import { goalLines } from './goals.ts';
import { CONNECTIONS, cpuMicroseconds, type Got, getOnce, loadClient } from './load.ts';

const SEED = 20_261_121;
const WARM_TILES = 128;
const COLD_TILES = 240;
const ROUNDS = 5;
const SECONDS = 2;
const GOAL = 0.7;

/**
 * The kinds of requests, sent in turns: the bare route, the same with the headers of a tile, a request
 * without a tile, and tiles.
 */
const KINDS = ['bare', 'headers', 'around', 'unlogged', 'warm'] as const;

interface ColdFigures {
  readonly perSecond: number;
  readonly readsFirst: number;
  readonly readsSecond: number;
  readonly readsMean: number;
  readonly checksum: string;
}

type Kind = (typeof KINDS)[number];

/** Runs the bench and prints the result. @throws Error if a tile differs from the archive */
export async function run(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-tiles-'));
  let runtime: Miniflare | undefined;
  try {
    const { demo: charts } = await demoCharts();
    const tiles = await someTiles(wholeArchive(charts, 'enc-v2'), COLD_TILES, SEED);
    const meanBytes = tiles.reduce((sum, tile) => sum + tile.bytes.length, 0) / tiles.length;
    const bucket = await openLocalBucket(scratch);
    await publishBuild(charts, bucket);
    await bucket.close();

    const keys: KeyStore = { keys: [await newKey()] };
    runtime = await startRuntime(scratch, keys, Math.round(meanBytes));
    const port = await portOf(runtime);
    const authorization = `Bearer ${await mintDevelopmentToken(keys)}`;
    const headers = { authorization, 'accept-encoding': 'gzip' };

    const cold = await fetchAll(port, tiles, headers);
    const warmPaths = tiles.slice(0, WARM_TILES).map(({ path }) => path);
    const under = (folder: string) =>
      warmPaths.map((path) => path.replace(/^.*enc-v2/, `/${folder}`));
    const load = { port, headers, seconds: SECONDS };
    const quiet = { ...headers, 'x-bench-quiet': '1' };
    const loads = {
      bare: { ...load, paths: under('bare') },
      headers: { ...load, paths: under('headers') },
      around: { ...load, paths: ['/healthz'], headers: quiet },
      unlogged: { ...load, paths: warmPaths, headers: quiet },
      warm: { ...load, paths: warmPaths },
    };
    const micros = Object.fromEntries(KINDS.map((kind) => [kind, [] as number[]])) as Record<
      Kind,
      number[]
    >;
    for (let round = -1; round < ROUNDS; round++) {
      for (const kind of KINDS) {
        const measured = await cpuMicroseconds(loads[kind], scratch);
        // The first round warms up and does not count.
        if (round >= 0) micros[kind].push(measured);
      }
    }
    print(micros, cold, meanBytes);
  } finally {
    await runtime?.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function print(micros: Record<Kind, number[]>, cold: ColdFigures, meanBytes: number): void {
  const [bare, headers, around, unlogged, warm] = KINDS.map((kind) => median(micros[kind])) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const row = (name: string, value: number) =>
    console.log(`${name.padEnd(32)} ${value.toFixed(0).padStart(5)} µs of the runtime`);
  console.log(
    `${COLD_TILES} vector tiles of the demo charts, ${meanBytes.toFixed(0)} bytes on average (seed ${SEED}); ` +
      `${loadClient}, ${CONNECTIONS} connections`,
  );
  row('bare Hono route', bare);
  row('the same with as many headers', headers);
  row('GET /healthz, nothing logged', around);
  row('warm tiles, nothing logged', unlogged);
  row('warm tiles', warm);
  const part = (value: number) => `${((100 * value) / warm).toFixed(0)} %`;
  const goals = goalLines([
    {
      name: 'warm tiles against a bare route, by processor time',
      reached: bare / warm,
      target: GOAL,
      cause:
        `of the time of a tile, a bare route takes ${part(bare)}, its headers ${part(headers - bare)}, ` +
        `other work for every request ${part(around - headers)}, ` +
        `token and tile ${part(unlogged - around)}, the log ${part(warm - unlogged)}`,
    },
    {
      name: 'reads of the bucket for the first tile of an isolate',
      reached: cold.readsFirst,
      most: 2,
      unit: 'reads',
      cause: 'the directory is not in the first read',
    },
  ]);
  for (const line of goals) console.log(line);
  console.log(
    `cold tiles: ${cold.perSecond.toFixed(0)}/s (own client, each tile once); reads: ${cold.readsFirst} for the first tile of an isolate, ` +
      `${cold.readsSecond} for the next, ${cold.readsMean.toFixed(3)} on average`,
  );
  console.log(`checksum ${cold.checksum}`);
}

async function startRuntime(
  dataDir: string,
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
      settings,
      isAlone: true,
    }),
    // Log lines are written as in production, and discarded.
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      out.resume();
      err.resume();
    },
  } as MiniflareOptions);
  return runtime;
}

/** Fetches each tile once and checks it against the archive: one alone, a second alone, then the rest. */
async function fetchAll(
  port: number,
  tiles: readonly StoredTile[],
  headers: Readonly<Record<string, string>>,
): Promise<ColdFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const hash = createHash('sha256');
  const get = async ({ path, bytes }: StoredTile): Promise<number> => {
    const got = await getOnce(port, path, headers, agent);
    if (got.status !== 200 || !got.body.equals(bytes)) {
      throw new Error(`${path} differs from the archive (${got.status}).`);
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
    perSecond: (tiles.length - 2) / seconds,
    readsFirst,
    readsSecond,
    readsMean: reads / (tiles.length - 2),
    checksum: hash.digest('hex').slice(0, 16),
  };
}

const readsOf = ({ serverTiming }: Got): number =>
  Number(/desc="(\d+) reads"/.exec(serverTiming)?.[1] ?? Number.NaN);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
