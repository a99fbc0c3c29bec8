// Marking of charts drawn far above their scale: next to finer charts, and nowhere else.

import { describe, expect, test } from 'vitest';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

const chart = (
  name: string,
  usageBand: number,
  scaleDenominator: number,
  box: Box,
): WrittenPlan => ({
  name,
  usageBand,
  scaleDenominator,
  areas: [
    ['M_COVR', box, { CATCOV: 1 }],
    ['DEPARE', box, { DRVAL1: 10, DRVAL2: 30 }],
  ],
});

/** The zoom from which a chart's ground is hatched in the tile of a place; `undefined` if it never is. */
async function hatchedFrom(
  plans: readonly WrittenPlan[],
  name: string,
  zoom: number,
  at: readonly [number, number],
): Promise<unknown> {
  const made = await WrittenChart.of(plans.map(writtenCell));
  const ground = made
    .features('coverage', zoom, at)
    .find(({ properties }) => properties['cell'] === name);
  expect(ground, `ground of ${name}`).toBeDefined();
  return ground!.properties['oz'];
}

describe.each([
  ['in the north', 5, 47],
  ['in the south', -70, -33],
  ['at 180°', 179.7, -18],
])('%s', (_, west, south) => {
  const coast = chart('ZZ4COAST', 4, 80_000, [west, south, west + 0.25, south + 0.25]);
  const harbour = chart('ZZ5HARBR', 5, 12_000, [west + 0.2, south, west + 0.25, south + 0.05]);

  test('a single chart is never hatched, however much it is enlarged', async () => {
    expect(await hatchedFrom([harbour], 'ZZ5HARBR', 14, [west + 0.22, south + 0.02])).toBe(
      undefined,
    );
    expect(await hatchedFrom([coast], 'ZZ4COAST', 12, [west + 0.1, south + 0.1])).toBe(undefined);
  });

  test('a coast chart is hatched next to a harbour chart from twice its scale on', async () => {
    const oz = await hatchedFrom([coast, harbour], 'ZZ4COAST', 13, [west + 0.19, south + 0.02]);
    expect(oz).toBeGreaterThan(11.5);
    expect(oz).toBeLessThan(13);
  });

  test('the hatching of a chart ends at no tile: it is the same far from the harbour chart', async () => {
    const zoomAt = (at: readonly [number, number]) =>
      hatchedFrom([coast, harbour], 'ZZ4COAST', 13, at);
    const far = await zoomAt([west + 0.02, south + 0.22]);
    expect(far).toBeGreaterThan(11.5);
    expect(far).toBe(await zoomAt([west + 0.19, south + 0.02]));
  });

  test('a coast chart is not hatched because of a harbour chart elsewhere', async () => {
    const elsewhere = chart('ZZ5HARBR', 5, 12_000, [west - 0.2, south - 0.2, west - 0.1, south]);
    const inside = [west + 0.1, south + 0.1] as const;
    expect(await hatchedFrom([coast, elsewhere], 'ZZ4COAST', 13, inside)).toBe(undefined);
  });

  test('the finer of the two is not hatched', async () => {
    const inside = [west + 0.22, south + 0.02] as const;
    expect(await hatchedFrom([coast, harbour], 'ZZ5HARBR', 14, inside)).toBe(undefined);
  });

  test('a chart is not hatched next to another of the same scale', async () => {
    const next = chart('ZZ4NEXT1', 4, 80_000, [west - 0.25, south, west, south + 0.25]);
    const border = [west + 0.01, south + 0.1] as const;
    expect(await hatchedFrom([coast, next], 'ZZ4COAST', 12, border)).toBe(undefined);
  });
});

test('a chart that a finer one divides keeps the ground on both sides, without holes', async () => {
  const coast = chart('ZZ4COAST', 4, 80_000, [5, 47, 5.25, 47.25]);
  const strip = chart('ZZ5STRIP', 5, 12_000, [5.11, 46.99, 5.115, 47.26]);
  const made = await WrittenChart.of([coast, strip].map(writtenCell));
  const ground = made
    .features('coverage', 13, [5.105, 47.05])
    .find(({ properties }) => properties['cell'] === 'ZZ4COAST');
  // Rings of an exterior are positive, holes are negative (MVT 2.1, clause 4.3.4.4).
  expect(ground?.paths.map((ring) => Math.sign(doubleArea(ring)))).toEqual([1, 1]);
});
