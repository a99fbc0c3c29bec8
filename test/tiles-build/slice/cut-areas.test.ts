// Areas that a tile border divides become separate polygons, not parts that are joined along the border.

import { expect, test } from 'vitest';
import type { Flat } from '../../../shared/geo/clip-box.ts';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import { EXTENT, encodeTile, LayerBuilder, polygonCommands } from '../../../shared/mvt/encode.ts';
import { overzoomTile } from '../../../shared/mvt/overzoom.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { cutShape } from '../../../tiles-build/slice/cut-shape.ts';
import { pictureFrame } from '../../../tiles-build/slice/frame.ts';
import { tileKey } from '../../../tiles-build/slice/territory.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

type Box = WrittenPlan['areas'][number][1];

/** Two arms in the upper left quarter of a tile; what joins them is in the upper right one. */
const ARMS: Flat = [
  1000, 400, 3000, 400, 3000, 1600, 1000, 1600, 1000, 1200, 2500, 1200, 2500, 800, 1000, 800,
];

test('when a tile is cut', async () => {
  const frame = pictureFrame(1, EXTENT / 2, 0);
  const part = { column: 0, row: 0, rings: undefined, box: undefined };
  const territory = {
    has: (_: number, column: number, row: number) => column + row === 0,
    tiles: new Map([[tileKey(0, 0), part]]),
  };
  const cuts: number[] = [];
  cutShape(
    { type: 'area', polygons: [[ARMS]] },
    frame,
    territory,
    await loadClipper(),
    (_, cut) => {
      cuts.push(cut.type === 'area' ? cut.polygons.length : 0);
    },
  );
  expect(cuts).toEqual([2]);
});

test('when a tile is enlarged', () => {
  const layer = new LayerBuilder('DEPARE');
  layer.add(1, 3, {}, polygonCommands([[ARMS]]));
  const bytes = overzoomTile(encodeTile([layer]), { z: 5, x: 0, y: 0 }, { z: 6, x: 0, y: 0 });
  expect(decodeTile(bytes)[0]!.features[0]!.paths).toHaveLength(2);
});

test('when a finer chart divides the ground of another in a tile', async () => {
  const plan = (name: string, usageBand: number, box: Box): WrittenPlan => ({
    name,
    usageBand,
    scaleDenominator: usageBand === 4 ? 40_000 : 20_000,
    areas: [
      ['M_COVR', box, { CATCOV: 1 }],
      ['DEPARE', box, { DRVAL1: 10, DRVAL2: 30 }],
    ],
  });
  const made = await WrittenChart.of([
    writtenCell(plan('ZZ4OUTER', 4, [20, 50, 20.2, 50.2])),
    writtenCell(plan('ZZ5STRIP', 5, [20.02, 50.1, 20.18, 50.101])),
  ]);
  const coverage = made.features('coverage', 13, [20.1, 50.1]);
  const ground = coverage.find(({ properties }) => properties['cell'] === 'ZZ4OUTER');
  expect(ground?.paths.map((ring) => doubleArea(ring) > 0)).toEqual([true, true]);
});
