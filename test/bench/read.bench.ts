// Reading cells with all their updates and assembling every geometry, against GDAL in two ways:
// `ogrinfo -al`, which also prints what it read, and `ogr2ogr -f Memory`, which prints nothing and
// is the harder to beat. (With -so ogrinfo would read next to nothing.)

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf, nodesOf, positionsOf } from '../../shared/s57/cell/geometry.ts';
import { type CellFiles, readCell } from '../../shared/s57/read/read-cell.ts';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';
import { goalLines } from './goals.ts';
import { hasTool, sum, timed } from './timed-process.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DATA = process.env['LEADLINE_ENC_DIR'] ?? resolve(REPOSITORY, '../shared/data');
const ROUNDS = 7;

export interface ReadFigures {
  readonly ownMegabytesPerSecond: number;
  /** `ogrinfo -al`, printing included; undefined where GDAL is not here. */
  readonly ogrinfoMegabytesPerSecond: number | undefined;
  /** `ogr2ogr -f Memory`, with nothing printed. */
  readonly memoryMegabytesPerSecond: number | undefined;
  readonly checksum: string;
}

/** Runs the bench and prints it; undefined where the cells are not on this machine. */
export async function run(): Promise<ReadFigures | undefined> {
  const folder = join(DATA, 'ENC_ROOT');
  if (!existsSync(folder)) {
    console.log(`skipped: no cells in ${DATA} (set LEADLINE_ENC_DIR)`);
    return undefined;
  }
  const { cells } = await findCells([folder]);
  const files = await Promise.all(cells.map(loadCell));
  const megabytes = files.reduce((total, cell) => total + sizeOf(cell), 0) / 1e6;

  const checksum = createHash('sha256');
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const sums = files.map((cell) => readAll(readCell(cell).cell));
    const { user, system } = process.cpuUsage(before);
    // The first round warms up; of the others the best is the least disturbed.
    if (round > 0) best = Math.min(best, (user + system) / 1e6);
    if (round === 0) checksum.update(sums.join());
  }
  const own = megabytes / best;
  console.log(`${cells.length} cells, ${megabytes.toFixed(1)} MB with updates`);
  console.log(`${'own reader, warm'.padEnd(20)} ${own.toFixed(1).padStart(5)} MB/s of one core`);
  const origins = cells.flatMap(({ base }) => base?.origin ?? []);
  const compare = (label: string, command: (path: string) => string[]) => {
    const rate = gdalRate(command, origins, megabytes);
    const words = `${rate.toFixed(1).padStart(5)} MB/s of one core, start-up taken off`;
    console.log(`${label.padEnd(20)} ${words}; ours is ${(own / rate).toFixed(1)} times that`);
    return rate;
  };
  const hasGdal = hasTool('ogrinfo') && hasTool('ogr2ogr');
  if (!hasGdal) console.log('GDAL is not here to compare with');
  const ogrinfo = hasGdal
    ? compare('ogrinfo -al', (path) => ['ogrinfo', '-al', '-q', ...UPDATED, path])
    : undefined;
  const memory = hasGdal
    ? compare('ogr2ogr -f Memory', (path) => ['ogr2ogr', '-f', 'Memory', 'all', ...UPDATED, path])
    : undefined;
  if (memory !== undefined) {
    const cause = 'not found yet: both read every record and assemble every geometry';
    const goal = { name: 'as fast as ogr2ogr -f Memory', reached: own / memory, wanted: 1, cause };
    for (const told of goalLines([goal])) console.log(told);
  }
  const digest = checksum.digest('hex').slice(0, 16);
  console.log(`checksum ${digest}`);
  return {
    ownMegabytesPerSecond: own,
    ogrinfoMegabytesPerSecond: ogrinfo,
    memoryMegabytesPerSecond: memory,
    checksum: digest,
  };
}

const sizeOf = ({ base, updates }: CellFiles) =>
  [...(base === undefined ? [] : [base]), ...updates].reduce((n, file) => n + file.bytes.length, 0);

/** Every position of every feature, as one number that depends on all of them. */
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

const UPDATED = ['-oo', 'UPDATES=APPLY'];

/** The best of some runs over all cells, a process each. */
function gdalRate(
  command: (path: string) => string[],
  origins: readonly string[],
  megabytes: number,
): number {
  const nothing = { wallSeconds: 0, cpuSeconds: 0 };
  const once = () => {
    const startUp = timed(['ogrinfo', '--formats'], 1).cpuSeconds * origins.length;
    const all = origins.map((path) => timed(command(path), 1)).reduce(sum, nothing);
    return all.cpuSeconds - startUp;
  };
  return megabytes / Math.min(once(), once(), once());
}
