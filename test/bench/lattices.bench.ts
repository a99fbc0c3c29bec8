// Builds many copies of a busy harbour's cell, side by side and without coarser cells, with one worker.
// Shows how CPU time and memory grow with the number of cells and with their density (two lattices, one
// moved by half a cell), and the size of the largest tiles. `--long` also builds 64 and 400 cells.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MAX_TILE_BYTES } from '../../tiles-build/generalise/fit-tile.ts';
import { MAX_RAW_BYTES } from '../../tiles-build/slice/fit-raw.ts';
import { largestTile } from '../support/largest-tiles.ts';
import { type MeasuredBuild, measureBuild } from '../support/measured-build.ts';
import { writeLattice } from '../support/moved-cells.ts';
import { wholeArchive } from '../support/whole-archive.ts';

const DATA =
  process.env['LEADLINE_ENC_DIR'] ?? resolve(import.meta.dirname, '../../../shared/data');
const CELL = join(DATA, 'ENC_BUSY/US5MD1MC/US5MD1MC.000');

/** Runs the bench and prints it. */
export async function run({ long = false } = {}): Promise<void> {
  if (!existsSync(CELL)) {
    console.log(`skipped: no ${CELL} (set LEADLINE_ENC_DIR)`);
    return;
  }
  const one = await built(1);
  const timeOf = ({ cpuSeconds }: MeasuredBuild) => cpuSeconds - one.cpuSeconds;
  let before = { side: 2, measured: await built(2) };
  for (const side of long ? [4, 8, 20] : [4]) {
    const measured = await built(side);
    const cells = (side / before.side) ** 2;
    const time = (timeOf(measured) / timeOf(before.measured)).toFixed(2);
    const memory = (measured.megabytes / before.measured.megabytes).toFixed(2);
    console.log(`${cells} times the cells: ${time} times the time, ${memory} times the memory`);
    before = { side, measured };
  }
  const [sparse, dense] = [await built(2), await built(2, true)];
  const time = (timeOf(dense) / timeOf(sparse)).toFixed(2);
  console.log(`twice the density: ${time} times the time (goal: at most 2)`);
}

async function built(side: number, twice = false): Promise<MeasuredBuild> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-'));
  const [cells, charts] = [join(scratch, 'cells'), join(scratch, 'charts')];
  const shape = { cell: CELL, folder: cells, columns: side, rows: side };
  try {
    writeLattice(shape);
    if (twice) writeLattice({ ...shape, by: 0.5, first: side * side });
    const count = side * side * (twice ? 2 : 1);
    const measured = measureBuild(cells, charts, 1);
    if (measured.cells !== count) throw new Error(`${count - measured.cells} cells were not used.`);
    const vector = await largestTile(wholeArchive(charts, 'enc-v2'), true);
    const raw = await largestTile(wholeArchive(charts, 'data-geojson-v1'), false);
    const { cpuSeconds, megabytes, buildId } = measured;
    const kilobytes = ({ bytes, tile }: typeof raw) => `${(bytes / 1000).toFixed(0)} kB at ${tile}`;
    console.log(
      `${`${count} cells${twice ? ', two on each other' : ''}`.padEnd(30)} ` +
        `${cpuSeconds.toFixed(1).padStart(7)} s cpu ${megabytes.toFixed(0).padStart(5)} MB  largest tiles: ` +
        `vector ${kilobytes(vector)}, GeoJSON ${kilobytes(raw)} (build ${buildId})`,
    );
    if (vector.bytes > MAX_TILE_BYTES || raw.bytes > MAX_RAW_BYTES) {
      throw new Error('A tile is larger than its limit.');
    }
    return measured;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
