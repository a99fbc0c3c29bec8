// The largest tiles of whole builds: of all available real cells and, in long runs, of dense harbours side by
// side without a coarser chart, and of small harbours all over the world.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_TILE_BYTES } from '../../../tiles-build/generalise/fit-tile.ts';
import { buildCharts } from '../../../tiles-build/pipeline/build-charts.ts';
import { MAX_RAW_BYTES } from '../../../tiles-build/slice/fit-raw.ts';
import { encData, hasBusyCells, hasEncData } from '../../support/enc-data.ts';
import { largestTile } from '../../support/largest-tiles.ts';
import { isLong } from '../../support/long-run.ts';
import { writeLattice } from '../../support/moved-cells.ts';
import { realCharts } from '../../support/real-charts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { worldOf, writeSmallCells } from '../../support/small-cells.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const scratch = scratchFolder();

async function expectWithinLimits(charts: string): Promise<void> {
  const vector = await largestTile(wholeArchive(charts, 'enc-v2'), true);
  const raw = await largestTile(wholeArchive(charts, 'data-geojson-v1'), false);
  expect(vector.bytes, `vector tile ${vector.tile}`).toBeGreaterThan(0);
  expect(vector.bytes, `vector tile ${vector.tile}`).toBeLessThanOrEqual(MAX_TILE_BYTES);
  expect(raw.bytes, `GeoJSON tile ${raw.tile}`).toBeGreaterThan(0);
  expect(raw.bytes, `GeoJSON tile ${raw.tile}`).toBeLessThanOrEqual(MAX_RAW_BYTES);
}

test.runIf(hasEncData)(
  'no tile of five usage bands, or of Boston and the Chesapeake, is larger than its limit',
  async () => {
    await expectWithinLimits(await realCharts());
  },
);

test.runIf(hasBusyCells && isLong)(
  'no tile of 16 dense harbours side by side, with nothing coarser, is larger than its limit',
  async () => {
    const [cells, out] = [join(scratch, 'harbours'), join(scratch, 'harbour-charts')];
    const cell = encData('ENC_BUSY/US5MD1MC/US5MD1MC.000');
    writeLattice({ cell, folder: cells, columns: 4, rows: 4 });
    await buildCharts({ enc: [cells], out, jobs: 2 });
    await expectWithinLimits(out);
  },
);

test.runIf(isLong)(
  'no tile of 500 small harbours all over the world is larger than its limit',
  async () => {
    const [cells, out] = [join(scratch, 'world'), join(scratch, 'world-charts')];
    writeSmallCells(cells, worldOf(500, 1));
    await buildCharts({ enc: [cells], out, jobs: 2 });
    await expectWithinLimits(out);
  },
);
