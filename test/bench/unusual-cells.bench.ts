// Builds cells with far more islands, contours, soundings, rocks or coverage than real charts have, each at
// two sizes, with one worker. Shows how CPU time and memory grow. The time of a nearly empty cell is
// subtracted. `--long` makes each ten times as large.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeasuredBuild, measureBuild } from '../support/measured-build.ts';
import { type UnusualCells, writeUnusualCells } from '../support/unusual-cells.ts';

/** The larger size of each kind with `--long`. */
const SIZES: Readonly<Record<UnusualCells, number>> = {
  'an island of so many vertices': 400_000,
  'an island of so many vertices, half of it below a finer cell': 400_000,
  'a contour of so many vertices': 1_000_000,
  'so many soundings in one record': 500_000,
  'so many rocks in half a kilometre': 100_000,
  'coverage in so many parts': 5000,
  'an overview of so many degrees from west to east': 200,
};
/** A size so small that nearly all of the time is spent on the background. */
const SMALL_SHARE = 1000;

/** Runs the bench and prints it. */
export async function run({ long = false } = {}): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-'));
  const built = (kind: UnusualCells, size: number): MeasuredBuild => {
    const folder = join(scratch, 'one');
    writeUnusualCells(join(folder, 'cells'), kind, size);
    const shared = join(scratch, 'shared');
    const measured = measureBuild(join(folder, 'cells'), join(folder, 'charts'), 1, shared);
    rmSync(folder, { recursive: true });
    if (measured.cells === 0) throw new Error(`No cell was used: ${kind}, ${size}.`);
    return measured;
  };
  try {
    for (const kind of Object.keys(SIZES) as UnusualCells[]) {
      const most = long ? SIZES[kind] : SIZES[kind] / 10;
      // The least size of the smallest is a few degrees, and of coverage a few parts.
      const alone = built(kind, Math.max(5, Math.round(most / SMALL_SHARE)));
      const [half, whole] = [built(kind, most / 2), built(kind, most)];
      const timeOf = ({ cpuSeconds }: MeasuredBuild) => cpuSeconds - alone.cpuSeconds;
      const ratio = timeOf(whole) / timeOf(half);
      console.log(
        `${`${kind.replace('so many', String(most))}`.padEnd(62)} ` +
          `${whole.cpuSeconds.toFixed(1).padStart(6)} s cpu ${whole.megabytes.toFixed(0).padStart(5)} MB, ` +
          `${ratio.toFixed(2)} times the time of half as much (build ${whole.buildId})`,
      );
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
