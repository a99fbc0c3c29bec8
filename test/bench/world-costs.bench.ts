// Calculates the cost to build and store the charts of a country and of the world: the cost of one more cell
// of a busy harbour, measured as the difference between four cells and one, multiplied by the number of
// cells. Costs are in units (hours of one core, gigabytes, requests), and in money at assumed prices.
// Coarser cells and emptier harbours cost less, so these are upper bounds.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { manifestSchema } from '../../shared/chart/manifest.ts';
import { measureBuild } from '../support/measured-build.ts';
import { writeLattice } from '../support/moved-cells.ts';
import { FLEETS, type PerCell, PRICES, worldCosts } from './world-costs.ts';

const DATA =
  process.env['LEADLINE_ENC_DIR'] ?? resolve(import.meta.dirname, '../../../shared/data');
const CELL = join(DATA, 'ENC_BUSY/US5MD1MC/US5MD1MC.000');

/** Runs the bench and prints it. */
export async function run(): Promise<void> {
  if (!existsSync(CELL)) {
    console.log(`skipped: no ${CELL} (set LEADLINE_ENC_DIR)`);
    return;
  }
  const [one, four] = [built(1), built(2)];
  const perCell: PerCell = {
    sourceMegabytes: statSync(CELL).size / 1e6,
    coreSeconds: (four.coreSeconds - one.coreSeconds) / 3,
    archiveMegabytes: (four.archiveMegabytes - one.archiveMegabytes) / 3,
  };
  const { sourceMegabytes, coreSeconds, archiveMegabytes } = perCell;
  console.log(
    `one more cell of ${sourceMegabytes.toFixed(1)} MB: ${coreSeconds.toFixed(1)} s of one core, ` +
      `${archiveMegabytes.toFixed(1)} MB in the archives; the background and all else once: ` +
      `${(one.coreSeconds - coreSeconds).toFixed(0)} s, ` +
      `${(one.archiveMegabytes - archiveMegabytes).toFixed(0)} MB`,
  );
  console.log(
    `prices assumed, in dollars: ${PRICES.coreHour} an hour of a core, ${PRICES.gigabyteMonth} a ` +
      `gigabyte and month, ${PRICES.millionWrites} a million writes; leaving the bucket is free`,
  );
  for (const fleet of FLEETS) {
    const { coreHours, gigabytes, uploads, build, month } = worldCosts(perCell, fleet.cells);
    console.log(
      `${fleet.name.padEnd(22)} ${String(fleet.cells).padStart(6)} cells: ` +
        `${coreHours.toFixed(1).padStart(5)} core hours, ${gigabytes.toFixed(1).padStart(6)} GB, ` +
        `${uploads} uploads of parts; ${build.toFixed(2)} dollars a build from nothing, ` +
        `${month.toFixed(2)} a month for three builds kept`,
    );
  }
}

function built(side: number) {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-'));
  const [cells, charts] = [join(scratch, 'cells'), join(scratch, 'charts')];
  try {
    writeLattice({ cell: CELL, folder: cells, columns: side, rows: side });
    const { cpuSeconds } = measureBuild(cells, charts, 1);
    const text = readFileSync(join(charts, 'manifest.json'), 'utf8');
    const { archives } = manifestSchema.parse(JSON.parse(text));
    const bytes = archives.reduce((sum, archive) => sum + archive.bytes, 0);
    return { coreSeconds: cpuSeconds, archiveMegabytes: bytes / 1e6 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
