// Reads cells with all their updates and assembles every geometry. Compared with GDAL in two ways:
// `ogrinfo -al`, which also prints the features, and `ogr2ogr -f Memory`, which prints nothing and is
// faster. Our process has as much memory for short-lived objects as the workers of a build. (With -so
// ogrinfo would read almost nothing.)

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findCells } from '../../tiles-build/exchange-set/exchange-set.ts';
import { measureRead } from '../support/measured-read.ts';
import { goalLines } from './goals.ts';
import { hasTool, sum, timed } from './timed-process.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DATA = process.env['LEADLINE_ENC_DIR'] ?? resolve(REPOSITORY, '../shared/data');

export interface ReadFigures {
  readonly ownMegabytesPerSecond: number;
  /** The rate of `ogrinfo -al`, including printing; undefined if GDAL is missing. */
  readonly ogrinfoMegabytesPerSecond: number | undefined;
  /** The rate of `ogr2ogr -f Memory`, which prints nothing. */
  readonly memoryMegabytesPerSecond: number | undefined;
  readonly checksum: string;
}

/** Runs the bench and prints the result; undefined if the cells are missing. */
export async function run(): Promise<ReadFigures | undefined> {
  const folder = join(DATA, 'ENC_ROOT');
  if (!existsSync(folder)) {
    console.log(`skipped: no cells in ${DATA} (set LEADLINE_ENC_DIR)`);
    return undefined;
  }
  const { cells } = await findCells([folder]);
  const { megabytes, cpuSeconds, collecting, checksum } = measureRead(folder);
  const own = megabytes / cpuSeconds;
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
  if (!hasGdal) console.log('GDAL is not installed');
  const ogrinfo = hasGdal
    ? compare('ogrinfo -al', (path) => ['ogrinfo', '-al', '-q', ...UPDATED, path])
    : undefined;
  const memory = hasGdal
    ? compare('ogr2ogr -f Memory', (path) => ['ogr2ogr', '-f', 'Memory', 'all', ...UPDATED, path])
    : undefined;
  if (memory !== undefined) {
    const share = `${(100 * collecting).toFixed(0)} %`;
    const cause = `${share} of our time is garbage collection, of records and positions that live until their cell is read; without it we would read ${(own / memory / (1 - collecting)).toFixed(2)} times as fast as ogr2ogr`;
    const goal = { name: 'as fast as ogr2ogr -f Memory', reached: own / memory, target: 1, cause };
    for (const told of goalLines([goal])) console.log(told);
  }
  console.log(`checksum ${checksum}`);
  return {
    ownMegabytesPerSecond: own,
    ogrinfoMegabytesPerSecond: ogrinfo,
    memoryMegabytesPerSecond: memory,
    checksum,
  };
}

const UPDATED = ['-oo', 'UPDATES=APPLY'];

/** The best of several runs over all cells, with a process for each cell. */
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
