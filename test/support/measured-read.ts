// Reads cells with their updates and assembles every geometry in a separate process, and reports the time:
// `measured-read.ts FOLDER`. The last line of output is JSON, a `MeasuredRead`.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../shared/s57/cell/geometry.ts';
import type { CellFiles } from '../../shared/s57/read/cell-files.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';

export interface MeasuredRead {
  readonly megabytes: number;
  /** Processor time of the best round over all cells. */
  readonly cpuSeconds: number;
  /** Share of time spent in garbage collection, over all rounds. */
  readonly collecting: number;
  /** Checksum of every position of every feature. */
  readonly checksum: string;
}

/** The same heap as the workers of a build: 192 MB of short-lived objects, in three parts. */
const SEMI_SPACE = '--max-semi-space-size=64';
const ROUNDS = 10;

/** Read the cells below a folder, and measure it. */
export function measureRead(folder: string): MeasuredRead {
  const words = [SEMI_SPACE, '--import', 'tsx', fileURLToPath(import.meta.url), folder];
  const child = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`reading ended with ${child.status}: ${child.stderr}`);
  return JSON.parse(child.stdout.trim().split('\n').at(-1)!) as MeasuredRead;
}

async function main(folder: string): Promise<void> {
  const { cells } = await findCells([folder]);
  const files = await Promise.all(cells.map(loadCell));
  let collectingMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collectingMs += duration;
  });
  observer.observe({ entryTypes: ['gc'] });
  const checksum = createHash('sha256');
  let best = Number.POSITIVE_INFINITY;
  const began = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const sums = files.map((cell) => readAll(readCell(cell).cell));
    const { user, system } = process.cpuUsage(before);
    // The first round warms up; of the others, the best is the least disturbed.
    if (round > 0) best = Math.min(best, (user + system) / 1e6);
    if (round === 0) checksum.update(sums.join());
  }
  const tookMs = performance.now() - began;
  // Garbage collections are reported when the event loop is idle.
  await setTimeout(0);
  observer.disconnect();
  const measured: MeasuredRead = {
    megabytes: files.reduce((total, cell) => total + sizeOf(cell), 0) / 1e6,
    cpuSeconds: best,
    collecting: collectingMs / tookMs,
    checksum: checksum.digest('hex').slice(0, 16),
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

const sizeOf = ({ base, updates }: CellFiles) =>
  [...(base === undefined ? [] : [base]), ...updates].reduce((n, file) => n + file.bytes.length, 0);

/** A checksum that depends on every position of every feature. */
function readAll(cell: Cell | undefined): string {
  if (cell === undefined) return 'none';
  let total = 0;
  let count = 0;
  const take = (positions: Float64Array) => {
    for (let i = 0; i < positions.length; i++) total += positions[i]! * ((i % 7) + 1);
    count += positions.length;
  };
  for (const feature of cell.features) {
    if (feature.primitive === 'point')
      nodesOf(cell, feature).map(({ positions }) => take(positions));
    if (feature.primitive === 'line') chainsOf(cell, feature).map((c) => take(positionsOf(c)));
    if (feature.primitive === 'area') {
      for (const ring of areaOf(cell, feature).flat()) take(positionsOf(ring.uses));
    }
  }
  return `${cell.features.length} ${count} ${total.toFixed(6)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2]!);
