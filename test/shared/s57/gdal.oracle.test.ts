// Compares every valid cell with GDAL, without updates and with all of them: features, attributes,
// relations and geometry. A long run compares it after every update.

import { describe, expect, test } from 'vitest';
import type { CellFiles } from '../../../shared/s57/read/cell-files.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { DEMO_CELLS } from '../../../tiles-build/demo/isles/cells.ts';
import { demoFiles } from '../../../tiles-build/demo/write-demo-charts.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { encData, hasBusyCells, hasEncData } from '../../support/enc-data.ts';
import { hasGdal } from '../../support/gdal.ts';
import { isLong } from '../../support/long-run.ts';
import { compareWithGdal } from './compare-with-gdal.ts';
import { DEVIATIONS, NOT_COMPARED } from './gdal-deviations.ts';

/** A cell after different numbers of updates. */
function states(cell: CellFiles): CellFiles[] {
  const all = cell.updates.length;
  const counts = isLong ? Array.from({ length: all + 1 }, (_, i) => i) : [0, all];
  return [...new Set(counts)].map((count) => ({ ...cell, updates: cell.updates.slice(0, count) }));
}

async function cellsIn(...folders: string[]): Promise<CellFiles[]> {
  const { cells } = await findCells(folders);
  return Promise.all(cells.map(loadCell));
}

const demo = DEMO_CELLS.map((cell): CellFiles => {
  const [base, ...updates] = demoFiles(cell);
  return { name: cell.name, updates, ...(base && { base }) };
});

/** Attributes of a cell that GDAL is known to omit. */
const droppedFrom = (name: string) =>
  DEVIATIONS.filter(({ cells }) => cells.includes(name)).flatMap((row) => row.droppedAttributes);

const real = hasEncData
  ? [
      ...(await cellsIn(encData('ENC_ROOT'), encData('synthetic'))),
      ...(await cellsIn(...(hasBusyCells ? [encData('ENC_BUSY')] : []))),
      ...(await cellsIn(encData('edge', 'anti_abut'))),
      ...(await cellsIn(encData('edge', 'gdal_autotest'))).filter(
        ({ name }) => !NOT_COMPARED.has(name),
      ),
    ]
  : [];

describe.runIf(hasGdal)('a cell read by Leadline and by GDAL', () => {
  for (const state of [...demo, ...real].flatMap(states)) {
    const title = `${state.name} after ${state.updates.length} updates`;
    test(`${title} has the same features, attributes, relations and geometry`, () => {
      const { cell } = readCell(state);
      expect(cell).toBeDefined();
      const found = compareWithGdal(cell!, state);
      expect(found.differences).toEqual([]);
      expect(found.droppedAttributes).toEqual(droppedFrom(state.name));
      expect(found.compared).toBe(cell!.features.length);
    });
  }
});
