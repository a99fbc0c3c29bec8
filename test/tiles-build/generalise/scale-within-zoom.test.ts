// A compilation scale within a zoom: hidden points are in the tile and appear at the scale.

import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { dangerOpacity } from '../../../shared/style/depth-shading.ts';
import { DEFAULT_OPTIONS } from '../../../shared/style/options.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenCell,
} from '../../support/written-chart.ts';

const WEST = 5.01;
const SOUTH = 43.01;
const SIDE = 0.1;
const PLACE = [WEST + 0.05, SOUTH + 0.05] as const;
/** 1:8,000 is zoom 14.64 at this latitude. */
const SCALE = 8_000;
const SCALE_ZOOM = 14.6;

const harbour = (more: Partial<WrittenPlan>): WrittenPlan => ({
  name: 'ZZ5HARBR',
  usageBand: 5,
  scaleDenominator: SCALE,
  areas: [
    ['M_COVR', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { CATCOV: 1 }],
    ['DEPARE', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 5, DRVAL2: 20 }],
  ],
  ...more,
});

/** Places in a row, at most a pixel apart at zoom 14. */
const row = (count: number) =>
  Array.from({ length: count }, (_, i) => [PLACE[0] + i * 4e-5, PLACE[1]] as const);

/** Properties of a layer in the tiles around the row, at a zoom. */
async function drawn(plan: Partial<WrittenPlan>, layer: string, zoom: number) {
  const chart = await WrittenChart.of([writtenCell(harbour(plan))], { floors: false });
  return chart.features(layer, zoom, PLACE).map(({ properties }) => properties);
}

describe('a compilation scale within a zoom', () => {
  it('shows one symbol for close rocks below the scale, and each rock from the scale on', async () => {
    const points = row(6).map((at) => ['UWTROC', at, { WATLEV: 3, VALSOU: 1 }] as const);
    const found = await drawn({ points }, 'UWTROC', 14);
    expect(found).toHaveLength(6);
    const opacityAt = (zoom: number) => {
      const made = createExpression(dangerOpacity(DEFAULT_OPTIONS), {
        type: 'number',
        'property-type': 'data-driven',
        expression: { interpolated: true, parameters: ['zoom', 'feature'] },
      } as never);
      if (made.result === 'error') throw new Error(String(made.value[0]));
      return found.map((properties) =>
        Number(made.value.evaluate({ zoom }, { type: 'Point', properties } as never)),
      );
    };
    const seen = (zoom: number) => opacityAt(zoom).filter((opacity) => opacity > 0).length;
    expect([14, 14.3, SCALE_ZOOM, 15].map(seen)).toEqual([1, 1, 6, 6]);
    expect(found.filter(({ n }) => n === 6)).toHaveLength(1);
    expect(await drawn({ points }, 'UWTROC', 13)).toHaveLength(1);
  });

  it('shows hidden soundings and piles from the scale on', async () => {
    const soundings = row(6).map(([x, y], i) => [x, y, 6 + i] as const);
    const points = row(6).map((at) => ['PILPNT', at] as const);
    for (const layer of ['SOUNDG', 'PILPNT']) {
      const found = await drawn({ soundings, points }, layer, 14);
      expect(found.map(({ mz }) => mz).sort()).toEqual([...Array(5).fill(SCALE_ZOOM), undefined]);
      const after = await drawn({ soundings, points }, layer, 15);
      expect(after.map(({ mz }) => mz)).toEqual(Array(6).fill(undefined));
    }
  });

  it('keeps soundings of four digits on both sides of a contour from overlapping', async () => {
    const middle = WEST + SIDE / 2;
    const areas = [
      ['M_COVR', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { CATCOV: 1 }],
      ['DEPARE', [WEST, SOUTH, middle, SOUTH + SIDE], { DRVAL1: 1000, DRVAL2: 2000 }],
      ['DEPARE', [middle, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 2000, DRVAL2: 3000 }],
    ] as const;
    // 0.007° = 20 pixels at zoom 11: enough for "9" and "11", not for "1990" and "2010".
    const across = (a: number, b: number) => [
      [middle - 0.0035, PLACE[1], a] as const,
      [middle + 0.0035, PLACE[1], b] as const,
    ];
    const shown = async (soundings: ReturnType<typeof across>) =>
      (await drawn({ areas, soundings }, 'SOUNDG', 11))
        .filter(({ mz }) => mz === undefined)
        .map(({ d }) => d);
    expect(await shown(across(1990, 2010))).toEqual([1990]);
    // One above the other, both fit.
    const above = [
      [middle - 1e-4, PLACE[1] - 0.003, 1990],
      [middle + 1e-4, PLACE[1] + 0.003, 2010],
    ] as const;
    expect(await shown([...above])).toHaveLength(2);
  });

  it('does not draw soundings over others at zooms at which no style fades them in', async () => {
    const [west, south, side] = [-30, 40, 10];
    const box = [west, south, west + side, south + side] as const;
    // 1:3,500,000 is zoom 5.8 here, and 0.2° are 9 pixels at zoom 5.
    const soundings = Array.from(
      { length: 30 },
      (_, i) => [west + 1 + i * 0.2, south + 2, 3000 + i] as const,
    );
    const plan: WrittenPlan = {
      name: 'ZZ1OCEAN',
      usageBand: 1,
      scaleDenominator: 3_500_000,
      areas: [
        ['M_COVR', box, { CATCOV: 1 }],
        ['DEPARE', box, { DRVAL1: 2000, DRVAL2: 4000 }],
      ],
      soundings,
    };
    const chart = await WrittenChart.of([writtenCell(plan)], { floors: false });
    for (const zoom of [3, 4, 5]) {
      const columns = new Set(soundings.map(([x]) => tileAt(zoom, [x, south + 2]).x));
      const places = [...columns].flatMap((x) =>
        chart
          .tile('SOUNDG', { ...tileAt(zoom, [west, south + 2]), x })
          .map(({ paths }) => x * 512 + paths[0]![0]! / 8),
      );
      const gaps = places.sort((a, b) => a - b).map((at, i) => at - (places[i - 1] ?? -100));
      expect(Math.min(...gaps), `zoom ${zoom}`).toBeGreaterThan(23.5);
    }
  });
});
