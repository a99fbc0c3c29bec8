// The bounds of a cell in the manifest, compared with the coverage of the cell.

import { describe, expect, it } from 'vitest';
import { findCells } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { locationOf } from '../../../tiles-build/pipeline/cell-location.ts';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { encData, hasEncData } from '../../support/enc-data.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const cache = scratchFolder();

async function boundsOf(path: string) {
  const { cells } = await findCells([path]);
  const { scan } = await scanCell(locationOf(cells[0]!), cache, 'test');
  return scan.found!.bounds;
}

describe.runIf(hasEncData)('the bounds of a real cell', () => {
  it('have west greater than east and the width of the cell across 180°', async () => {
    const [west, south, east, north] = await boundsOf(encData('edge', 'anti_abut', 'ZZ3AK12M.000'));
    const [home] = [await boundsOf(encData('ENC_ROOT', 'US3AK12M'))];
    expect(west).toBeGreaterThan(170);
    expect(east).toBeLessThan(-170);
    expect(east + 360 - west).toBeCloseTo(home[2] - home[0], 6);
    expect([south, north]).toEqual([home[1], home[3]]);
  });

  it('stay on one side for a cell that ends at 180°', async () => {
    for (const name of ['ZZ4AK4OG', 'ZZ4AK4PH']) {
      const [west, , east] = await boundsOf(encData('edge', 'anti_abut', `${name}.000`));
      expect(east - west).toBeCloseTo(0.6, 6);
    }
  });
});
