// Synthetic charts with all kinds of ground side by side: a cell without data in its middle third, and next to it
// background land with a lake and an island in the lake.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CellBuilder, type Course } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { areaFeature, boxRing, writeLayer } from './background-files.ts';
import { keptThread } from './build-threads.ts';

/** Longitude and latitude of a place in each ground, at least a tenth of a degree from any other. */
export const PLACES = {
  unchartedWater: [-25.3, 10.5],
  chartedWater: [-24.85, 10.5],
  chartedWithoutDepths: [-24.5, 10.5],
  chartedLand: [-24.15, 10.5],
  unchartedLand: [-23.4, 10.5],
  unchartedLake: [-23.0, 10.4],
  unchartedIsland: [-22.9, 10.6],
} as const;

const CELL = 'ZL3GAPPY';
/** Units of a cell's positions per degree. */
const DEGREE = 1e7;

/** The background of `PLACES`: a square of land, a lake in it, an island in the lake. */
export function writeGrounds(folder: string): void {
  const island = boxRing(-22.95, 10.55, -22.85, 10.65);
  writeLayer(folder, 'ne_10m_land', [areaFeature([boxRing(-23.6, 10, -22.4, 11)])]);
  writeLayer(folder, 'ne_10m_lakes', [areaFeature([boxRing(-23.2, 10.2, -22.7, 10.8), island])]);
}

/** Write the cell of `PLACES` below a folder. */
export function writeGappyCell(folder: string): void {
  const builder = new CellBuilder({
    name: CELL,
    usageBand: 3,
    scaleDenominator: 150_000,
    edition: 1,
    update: 0,
    issueDate: '20260101',
    agency: 65_534,
  });
  const ringOf = (west: number, east: number) => {
    const positions = boxRing(west, 10, east, 11).map(
      ([x, y]) => [Math.round(x * DEGREE), Math.round(y * DEGREE)] as const,
    );
    const course: Course = { positions };
    return [[{ course, atLimit: true }]];
  };
  builder.area(1, 'M_COVR', ringOf(-25, -24), { CATCOV: 1 });
  builder.area(2, 'DEPARE', ringOf(-25, -24.7), { DRVAL1: 50, DRVAL2: 100 });
  builder.area(3, 'LNDARE', ringOf(-24.3, -24), {});
  mkdirSync(join(folder, CELL), { recursive: true });
  writeFileSync(join(folder, CELL, `${CELL}.000`), encodeFile(builder.contents()));
}

/** Build the charts of `PLACES` in an empty folder; its `background` may contain further layers. */
export async function buildGrounds(folder: string): Promise<string> {
  const [enc, background] = [join(folder, 'cells'), join(folder, 'background')];
  writeGappyCell(enc);
  writeGrounds(background);
  const out = join(folder, 'charts');
  await buildCharts({ enc: [enc], out, background, jobs: 1, pool: keptThread() });
  return out;
}
