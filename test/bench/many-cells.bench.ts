// Builds charts of many small cells, written by the S-57 writer, with one worker. Shows how CPU time and
// memory grow with the number of cells and with their density (two lattices, one moved by half a cell).
// The time of a build with one cell, mostly for the background, is subtracted. `--long` builds 20,000
// cells.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeasuredBuild, measureBuild } from '../support/measured-build.ts';
import {
  type Corner,
  latticeOf,
  SMALL_CELL_DEGREES,
  worldOf,
  writeSmallCells,
} from '../support/small-cells.ts';

/** Position of the lattices, far from all land in the background. */
const CORNER: Corner = [-40, 30];

/** Runs the bench and prints it. */
export async function run({ long = false } = {}): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-'));
  let number = 0;
  const built = (label: string, ...layers: readonly (readonly Corner[])[]): MeasuredBuild => {
    const folder = join(scratch, `${number++}`);
    let first = 0;
    for (const corners of layers) {
      writeSmallCells(join(folder, 'cells'), corners, first);
      first += corners.length;
    }
    const measured = measureBuild(join(folder, 'cells'), join(folder, 'charts'), 1);
    rmSync(folder, { recursive: true });
    if (measured.cells !== first) throw new Error(`${first - measured.cells} cells were not used.`);
    print(label, measured);
    return measured;
  };
  try {
    const alone = built('one cell', latticeOf(1, 1, CORNER));
    const timeOf = ({ cpuSeconds }: MeasuredBuild) => cpuSeconds - alone.cpuSeconds;
    const worlds = (long ? [5000, 20_000] : [250, 1000]).map(
      (count) => [count, built(`${count} cells over the world`, worldOf(count, 1))] as const,
    );
    const [[few, less], [many, more]] = worlds as [(typeof worlds)[0], (typeof worlds)[0]];
    ratio(`${many / few} times the cells`, timeOf(more) / timeOf(less), more, less);
    const side = long ? 40 : 12;
    const sparse = built(`${side * side} cells side by side`, latticeOf(side, side, CORNER));
    const half = SMALL_CELL_DEGREES / 2;
    const moved = latticeOf(side, side, [CORNER[0] + half, CORNER[1] + half]);
    const dense = built('twice as dense', latticeOf(side, side, CORNER), moved);
    ratio('twice the density', timeOf(dense) / timeOf(sparse), dense, sparse);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function print(label: string, measured: MeasuredBuild): void {
  const { cpuSeconds, megabytes, mainMegabytes, stages, buildId } = measured;
  const parts = stages.map(([name, seconds]) => `${name.toLowerCase()} ${seconds.toFixed(1)}`);
  console.log(
    `${label.padEnd(28)} ${cpuSeconds.toFixed(1).padStart(7)} s cpu ${megabytes.toFixed(0).padStart(5)} MB, ` +
      `${mainMegabytes.toFixed(0)} of them the main thread's at most  (${parts.join(', ')} s; build ${buildId})`,
  );
}

function ratio(label: string, time: number, more: MeasuredBuild, less: MeasuredBuild): void {
  const memory = more.megabytes / less.megabytes;
  console.log(`${label}: ${time.toFixed(2)} times the time, ${memory.toFixed(2)} times the memory`);
}
