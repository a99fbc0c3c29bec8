// The plan of a build keeps the references of floors, which depend on the neighbours of a cell.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  readOwnership,
  readQuiltPlan,
  writeQuiltPlan,
} from '../../../tiles-build/pipeline/quilt-plan.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { writtenCell } from '../../support/written-chart.ts';

const scratch = scratchFolder();

/** The plans of two harbour charts side by side. */
async function planned(scaleOfSecond: number) {
  const cells = [12_000, scaleOfSecond].map((scaleDenominator, i) =>
    writtenCell({
      name: `ZZ5PORT${i}`,
      usageBand: 5,
      scaleDenominator,
      areas: [
        ['M_COVR', [5 + i, 43, 6 + i, 44], { CATCOV: 1 }],
        ['DEPARE', [5 + i, 43, 6 + i, 44], { DRVAL1: 3, DRVAL2: 10 }],
      ],
    }),
  );
  const path = join(scratch, `${scaleOfSecond}.pack`);
  await writeQuiltPlan(cells.map(coverageOf), path);
  return readQuiltPlan(path);
}

it('a plan changes with the scale of a neighbour, and contains its reference', async () => {
  const [alike, coarser] = [await planned(12_000), await planned(24_000)];
  expect(coarser[0]!.digest).toBe(alike[0]!.digest);
  expect(coarser[1]!.digest).not.toBe(alike[1]!.digest);
  const zooms = [alike, coarser].map(
    ([, first]) => readOwnership(first!).faces[3]!.reference!.scaleZoom,
  );
  expect(zooms[0]! - zooms[1]!).toBeCloseTo(1, 1);
});
