// Real harbours and the demo at zooms 7 to 17 in halves: soundings are shown on both sides of the borders between
// charts, and objects that SCAMIN does not govern are not shown far below the scale of their chart.

import { beforeAll, describe, expect, inject, test } from 'vitest';
import { zoomOfScale } from '../../../shared/chart/scale-zoom.ts';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import type { CellSource } from '../../../tiles-build/exchange-set/cell-source.ts';
import { findCells, loadCell } from '../../../tiles-build/exchange-set/exchange-set.ts';
import { BorderDensities, soundingsOf } from '../../support/border-density.ts';
import { hasBusyCells, hasEncData } from '../../support/enc-data.ts';
import { realCells, realCharts } from '../../support/real-charts.ts';
import { openTiles, type TileReader } from '../../support/tile-geometry.ts';
import { wholeArchive } from '../../support/whole-archive.ts';
import { tileAt } from '../../support/written-chart.ts';

const ZOOMS = Array.from({ length: 21 }, (_, i) => 7 + i / 2);
const MAX_STEP = 2;

/** Objects of the display base and dangers: SCAMIN does not hide them. */
const UNGOVERNED = ['UWTROC', 'OBSTRN', 'WRECKS', 'OFSPLF', 'GATCON', 'BRIDGE', 'PYLONS'];
/** Zooms below the scale of their chart, and the rounding of whole zooms. */
const BELOW = 2.2;

/** The smallest scale of the linked charts of each place: Boston has 1:10,000 and 1:25,000. */
const PLACES = [
  ['Boston', 25_000, [-71.1, 42.2, -70.8, 42.42]],
  ['Chesapeake', 80_000, [-76.7, 38.5, -76.0, 39.1]],
  ['Tacoma', 15_000, [-122.55, 47.23, -122.35, 47.33]],
] as const;

async function readAll(cells: readonly CellSource[]): Promise<Cell[]> {
  const read = await Promise.all(cells.map(async (cell) => readCell(await loadCell(cell)).cell));
  return read.filter((cell) => cell !== undefined);
}

/** Objects shown at a zoom, without dangers to ships in deep water. */
async function shownIn(
  tiles: TileReader,
  box: readonly [number, number, number, number],
  zoom: number,
) {
  const z = Math.floor(zoom);
  const [from, to] = [tileAt(z, [box[0], box[3]]), tileAt(z, [box[2], box[1]])];
  const found: string[] = [];
  for (let x = from.x; x <= to.x; x++) {
    for (let y = from.y; y <= to.y; y++) {
      const tile = await tiles.read(z, x, y);
      for (const name of [...UNGOVERNED, 'AREASYM']) {
        const layer = tile?.layers[name];
        for (let i = 0; i < (layer?.length ?? 0); i++) {
          const { mz, rz, ud, dd, cls, bn } = layer!.feature(i).properties;
          const isGoverned = name === 'AREASYM' && !UNGOVERNED.includes(String(cls));
          const isDeep = Number(ud ?? 0) >= 30 && Number(dd) < 30;
          // Band 1 is shown at all of these zooms; rz is the zoom of an isolated danger.
          const from = Math.min(Number(mz ?? 0), Number(rz ?? Number.POSITIVE_INFINITY));
          if (!isGoverned && !isDeep && bn !== 1 && from <= zoom)
            found.push(`${cls ?? name} at ${zoom}`);
        }
      }
    }
  }
  return found;
}

describe.runIf(hasEncData && hasBusyCells)('charts of real harbours', () => {
  let tiles: TileReader;
  let borders: BorderDensities;
  beforeAll(async () => {
    tiles = openTiles(wholeArchive(await realCharts(), 'enc-v2'));
    const { cells } = await findCells([...realCells('busy'), ...realCells('withCoarse')]);
    borders = new BorderDensities(tiles, soundingsOf(await readAll(cells)));
  });

  test('show soundings on both sides of every border, in like density', async () => {
    const all = (await Promise.all(ZOOMS.map((zoom) => borders.at(zoom)))).flat();
    expect(all.filter(({ step }) => step > MAX_STEP)).toEqual([]);
    expect(all.length).toBeGreaterThan(40);
  });

  test.each(PLACES)(
    '%s shows no dangers and structures far below its scale',
    async (_, scale, box) => {
      const floor = zoomOfScale(scale, box[1]) - BELOW;
      for (const zoom of ZOOMS.filter((one) => one < floor)) {
        expect(await shownIn(tiles, box, zoom)).toEqual([]);
      }
      expect((await shownIn(tiles, box, Math.ceil(floor + 0.5))).length).toBeGreaterThan(10);
    },
  );
});

test('the demo shows soundings on both sides of every border, in like density', async () => {
  const demo = openTiles(wholeArchive(inject('demoCharts'), 'enc-v2'));
  const { cells } = await findCells([inject('demoCells')]);
  const borders = new BorderDensities(demo, soundingsOf(await readAll(cells)));
  const all = (await Promise.all(ZOOMS.map((zoom) => borders.at(zoom)))).flat();
  expect(all.filter(({ step }) => step > MAX_STEP)).toEqual([]);
});
