// A cell that ends exactly at 180° also makes tiles on the other side. They keep the land of the background.

import { expect, test } from 'vitest';
import { backgroundLand } from '../../support/background-land.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import { tileAt, writtenCell } from '../../support/written-chart.ts';

test.each([
  ['in the east', [179, 66, 180, 67], -179.99],
  ['in the west', [-180, 66, -179, 67], 179.99],
] as const)('%s', async (_, box, longitude) => {
  const cell = writtenCell({
    name: 'ZZ2EDGE',
    usageBand: 2,
    scaleDenominator: 500_000,
    areas: [
      ['M_COVR', box, { CATCOV: 1 }],
      ['DEPARE', box, { DRVAL1: 5, DRVAL2: 10 }],
    ],
  });
  const shore = await DataTiles.shore([cell], backgroundLand([-180, 60, 180, 70]));
  for (const zoom of [5, 7, 9, 11]) {
    const land = shore.read(tileAt(zoom, [longitude, 66.5]))?.features[0]?.geometry;
    expect(land?.coordinates, `zoom ${zoom}`).not.toEqual([]);
    expect(land?.coordinates, `zoom ${zoom}`).toBeDefined();
  }
});
