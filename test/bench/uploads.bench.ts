// A harbour cell that an account uploads to a self-hosted service whose public charts have many cells: small ones in
// towns all over the world, and the real ones next to the harbour. Measures the time from the upload to the first
// tile with the cell, the bytes that it adds to the store, and the latency of warm tiles of the account compared with
// that of an account without uploads, tile by tile. The public charts have 250 small cells, with `--long`
// 5,000. The build of the public charts is not a part of the time.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chartsStore } from '../../workers/host/serve/state-folder.ts';
import { type ChartAccount, chartAccount } from '../support/chart-uploads.ts';
import { encData, hasBusyCells } from '../support/enc-data.ts';
import { measureBuild } from '../support/measured-build.ts';
import { discard, makeData, type SelfHosted, startSelfHosted } from '../support/self-hosted.ts';
import { SMALL_CELL_DEGREES, worldOf, writeSmallCells } from '../support/small-cells.ts';
import { tileAt } from '../support/written-chart.ts';
import { serviceDist } from './bench-charts.ts';
import { goalLines } from './goals.ts';
import { getOnce } from './load.ts';
import { quantile } from './quantile.ts';

const HARBOUR = 'US5MA11M';
/** A tile of the harbour at the zoom of its details. */
const HARBOUR_TILE = '/api/v2/tiles/enc-v2/14/4958/6059.mvt';
const [FEW, MANY] = [250, 5000];
const TILE_ZOOM = 14;
const TILES = 120;
const ROUNDS = 44;
const WARM_UP = 4;
/** Requests for the first tile, ten in a second. */
const MAX_TRIES = 600;

/** Runs the bench and prints it. */
export async function run({ long = false } = {}): Promise<void> {
  if (!hasBusyCells) {
    console.log('skipped: no cells (set LEADLINE_ENC_DIR)');
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-uploads-'));
  const data = makeData();
  let service: SelfHosted | undefined;
  try {
    console.log(`processes waiting for a core before the run: ${loadavg()[0]!.toFixed(1)}`);
    const corners = worldOf(long ? MANY : FEW, 1);
    const [cells, charts] = [join(scratch, 'cells'), join(scratch, 'charts')];
    const count = writePublicCells(cells, corners);
    const { cpuSeconds, archiveBytes, ...built } = measureBuild(
      cells,
      charts,
      availableParallelism(),
    );
    if (built.cells !== count) throw new Error(`${count - built.cells} cells were not used.`);
    console.log(
      `public charts of ${count} cells: ${megabytes(archiveBytes)}, built in ${cpuSeconds.toFixed(1)} s cpu (build ${built.buildId})`,
    );
    service = await startService(scratch, data, charts, cells);
    await measure(service, corners);
  } finally {
    await discard(service, data);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @returns the number of cells */
function writePublicCells(folder: string, corners: Parameters<typeof writeSmallCells>[1]): number {
  writeSmallCells(folder, corners);
  const real = ['ENC_ROOT', 'ENC_BUSY'].flatMap((set) =>
    readdirSync(encData(set)).map((name) => [name, encData(set, name)] as const),
  );
  const others = real.filter(([name]) => name !== HARBOUR);
  for (const [name, path] of others) cpSync(path, join(folder, name), { recursive: true });
  return corners.length + others.length;
}

async function startService(scratch: string, data: string, charts: string, cells: string) {
  const dist = await serviceDist(join(scratch, 'dist'));
  const environment = { CHART_WORKER: 'on', LEADLINE_CELLS: cells };
  return startSelfHosted({ dist, data, charts, environment });
}

async function measure(service: SelfHosted, corners: readonly (readonly [number, number])[]) {
  const tokenOf = (account: string) => service.token({ account, expiresInSeconds: 7200 });
  const [own, other] = [await tokenOf('uploads'), await tokenOf('no-uploads')];
  const store = chartsStore(service.data);
  const before = bytesOf(store);
  const seconds = await upload(chartAccount(service.address, own), service.address, own);
  const added = bytesOf(store) - before;
  const charted = corners.slice(0, TILES).map(pathOf);
  const [withUploads, without] = await latencies(service.port, charted, [own, other]);
  const [p50, p99] = [0.5, 0.99].map(
    (share) => quantile(withUploads, share) / quantile(without, share),
  ) as [number, number];
  console.log(
    `the store grew by ${megabytes(added)} from ${megabytes(before)}, the uploaded file included`,
  );
  console.log(
    `latency of warm tiles with uploads, compared with that without: p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} times, of ${without.length} each`,
  );
  for (const line of goalLines([
    {
      name: 'a harbour cell, live',
      reached: seconds,
      most: 60,
      unit: 's',
      cause: 'see the steps above',
    },
    {
      name: 'p99 of warm tiles, with uploads compared with without',
      reached: p99,
      most: 1.1,
      unit: 'times',
      cause: 'the tiles of a set have an address of their own',
    },
  ])) {
    console.log(line);
  }
}

/** @returns seconds from the start of the upload to the first tile with the cell */
async function upload(account: ChartAccount, address: string, token: string): Promise<number> {
  const tile = async () => {
    const answer = await fetch(address + HARBOUR_TILE, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const publicTile = await tile();
  const files = readdirSync(encData('ENC_BUSY', HARBOUR)).map((name) => ({
    name,
    bytes: readFileSync(encData('ENC_BUSY', HARBOUR, name)),
  }));
  const startedAt = performance.now();
  const since = () => (performance.now() - startedAt) / 1000;
  const { job } = await account.process(...files);
  if (job.jobState !== 'succeeded') throw new Error(JSON.stringify(job));
  const published = since();
  for (let tries = 0; (await tile()).equals(publicTile); tries++) {
    if (tries > MAX_TRIES) throw new Error('The tile of the harbour does not show the cell.');
    await pause(100);
  }
  const live = since();
  console.log(
    `uploaded, built and published in ${published.toFixed(1)} s, first tile with the cell after ${live.toFixed(1)} s`,
  );
  return live;
}

/** The latencies of warm tiles, ms: each tile for both accounts in turn. */
async function latencies(
  port: number,
  paths: readonly string[],
  tokens: readonly [string, string],
): Promise<[number[], number[]]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const path of paths) {
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const token = tokens[i]!;
        const startedAt = performance.now();
        const { status } = await getOnce(port, path, { authorization: `Bearer ${token}` }, agent);
        if (status !== 200) throw new Error(`${path}: ${status}`);
        // The first rounds warm up and do not count.
        if (round >= WARM_UP) taken[i as 0 | 1].push(performance.now() - startedAt);
      }
    }
  }
  agent.destroy();
  return taken;
}

/** The tile in the middle of a small cell. */
function pathOf([west, south]: readonly [number, number]): string {
  const half = SMALL_CELL_DEGREES / 2;
  const { z, x, y } = tileAt(TILE_ZOOM, [west + half, south + half]);
  return `/api/v2/tiles/enc-v2/${z}/${x}/${y}.mvt`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Bytes of all files of a folder. Files that are linked twice count once. */
function bytesOf(folder: string): number {
  const seen = new Set<number>();
  let sum = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { ino, size } = statSync(join(entry.parentPath, entry.name));
    if (!seen.has(ino)) sum += size;
    seen.add(ino);
  }
  return sum;
}
