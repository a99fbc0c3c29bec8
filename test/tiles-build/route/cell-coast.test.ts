// Which objects of a cell have a coastal zone, and that a shoal at the limit of a chart cannot be passed
// outside the limit.

import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadClipper } from '../../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { coastOfCell } from '../../../tiles-build/route/cell-coast.ts';
import { chartedSea } from '../../support/route/charted-sea.ts';
import { landFolder } from '../../support/route/land-folder.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import { ChartBuilder } from '../portray/chart-builder.ts';
import { area, line, point, SOUTH, WEST } from './draw-objects.ts';

const clipper = await loadClipper();
const sounding = (chart: ChartBuilder): void =>
  void chart.soundings([[WEST + 0.01, SOUTH + 0.01, 1]]);

it.each([
  ['land as a point', point('LNDARE'), true],
  ['a drying reef', area('DEPARE', { DRVAL1: -1.5, DRVAL2: 0 }), true],
  ['a shoal', area('DEPARE', { DRVAL1: 5, DRVAL2: 10 }), true],
  ['a depth area of 10 m', area('DEPARE', { DRVAL1: 10, DRVAL2: 20 }), false],
  ['a depth area without a depth', area('DEPARE'), true],
  ['unsurveyed ground', area('UNSARE'), true],
  ['a foul area', area('OBSTRN'), true],
  ['a sounding', sounding, false],
  ['a buoy', point('BOYCAR'), false],
  ['a wind turbine', point('LNDMRK'), false],
  ['a caution', area('CTNARE'), false],
  ['a prohibited area', area('RESARE', { RESTRN: '7' }), false],
  ['a bridge', line('BRIDGE', { VERCLR: 30 }), false],
  ...['PONTON', 'FLODOC', 'HULKES', 'CAUSWY', 'DAMCON', 'SLCONS', 'DYKCON', 'FSHFAC'].map(
    (acronym) => [`a line of ${acronym}`, line(acronym), true] as const,
  ),
] as const)('%s', (_, draw, has) => {
  const chart = new ChartBuilder();
  chart.box('M_COVR', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { CATCOV: 1 });
  chart.box('DEPARE', [WEST, SOUTH], [WEST + 0.02, SOUTH + 0.02], { DRVAL1: 20 });
  draw(chart);
  const cell = chart.cell();
  const owner = computeOwnership([coverageOf(cell)], clipper).get(cell.header.name)!;
  expect([...coastOfCell(cell, owner)].length > 0).toBe(has);
});

it('a drying reef that reaches the limit of a chart is not passed outside the limit', async () => {
  const chart = new ChartBuilder();
  chart.box('M_COVR', [-29.9, 10], [-29.6, 10.4], { CATCOV: 1 });
  chart.box('DEPARE', [-29.9, 10], [-29.76, 10.4], { DRVAL1: 20 });
  chart.box('DEPARE', [-29.76, 10], [-29.74, 10.4], { DRVAL1: -1.5, DRVAL2: 0 });
  chart.box('DEPARE', [-29.74, 10], [-29.6, 10.4], { DRVAL1: 20 });
  const background = landFolder([
    [10, 10],
    [11, 10],
    [11, 11],
  ]);
  const sea = await chartedSea([chart.cell()], background, clipper);
  rmSync(background, { recursive: true });
  const plan = (allowUnknownDepth: boolean) =>
    planWarm(
      tripOf(
        [
          [-29.85, 10.35],
          [-29.65, 10.35],
        ],
        { safety: { allowUnknownDepth } },
      ),
      sea,
    );
  const refused = plan(false);
  if (refused.success) throw new Error('There is a route.');
  expect(refused.failures[0]!.message).toContain('safety.allowUnknownDepth');
  expect(plan(true).success).toBe(true);
});
