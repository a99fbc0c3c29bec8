// Which cell is shown if the chart of the band would be drawn at more than ten times its compilation scale
// and there is a finer one.

import { describe, expect, test } from 'vitest';
import { TIER_ZOOMS } from '../../../shared/chart/band-for-zoom.ts';
import { sideOfRings } from '../../../shared/geo/ring.ts';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { coverageOf, gridX, gridY } from '../../../tiles-build/quilt/coverage.ts';
import { computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

const chart = (
  name: string,
  usageBand: number,
  scaleDenominator: number,
  half: number,
  south: number,
): WrittenPlan => ({
  name,
  usageBand,
  scaleDenominator,
  areas: [
    ['M_COVR', [5 - half, south - half, 5 + half, south + half], { CATCOV: 1 }],
    ['DEPARE', [5 - half, south - half, 5 + half, south + half], { DRVAL1: usageBand, DRVAL2: 30 }],
  ],
});

/** Usage band of the chart shown in the middle at each tier's first zoom. */
async function bandsShown(plans: readonly WrittenPlan[], south: number): Promise<number[]> {
  const cells = plans.map(writtenCell);
  const owners = computeOwnership(cells.map(coverageOf), await loadClipper());
  const [x, y] = [gridX(5.001), gridY(south + 0.001)];
  return TIER_ZOOMS.map((tier, i) => {
    const bands = cells
      .filter(({ header }) => sideOfRings(x, y, owners.get(header.name)!.faces[i]!.rings) > 0)
      .map(({ header }) => header.usageBand);
    expect(bands, `owners at zoom ${tier}`).toHaveLength(1);
    return bands[0]!;
  });
}

describe('below a chart of 1:3,500,000', () => {
  test.each([47, -12])(
    'a harbour chart of 1:15,000 shows from zoom 9 on at latitude %d',
    async (south) => {
      const plans = [
        chart('ZZ1OCEAN', 1, 3_500_000, 1, south),
        chart('ZZ5HARBR', 5, 15_000, 0.4, south),
      ];
      expect(await bandsShown(plans, south)).toEqual([1, 1, 5, 5, 5, 5]);
    },
  );

  test('the coarsest of the finer charts is shown until the band of a finer one is due', async () => {
    const plans = [
      chart('ZZ1OCEAN', 1, 3_500_000, 1, 47),
      chart('ZZ4APPRO', 4, 50_000, 0.5, 47),
      chart('ZZ5HARBR', 5, 15_000, 0.4, 47),
    ];
    expect(await bandsShown(plans, 47)).toEqual([1, 1, 4, 4, 5, 5]);
  });
});

test('a coast chart drawn at less than ten times its scale keeps its zooms', async () => {
  const plans = [chart('ZZ3COAST', 3, 150_000, 1, 47), chart('ZZ5HARBR', 5, 15_000, 0.4, 47)];
  expect(await bandsShown(plans, 47)).toEqual([3, 3, 3, 3, 5, 5]);
});

test('a chart without a finer one is shown however much it is enlarged', async () => {
  const plans = [chart('ZZ1OCEAN', 1, 3_500_000, 0.4, 47)];
  const made = await WrittenChart.of(plans.map(writtenCell));
  expect(made.features('coverage', 7, [5, 47])).toHaveLength(1);
  expect(made.owners.get('ZZ1OCEAN')!.faces.every(({ rings }) => rings.length === 1)).toBe(true);
});
