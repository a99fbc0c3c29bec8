// A cell that claims to cover ground without an area of S-57 Group 1 there must not hide other cells. Cells
// are written as S-57 files and read back.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { finestFace } from '../../../tiles-build/quilt/ownership.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { backgroundLand } from '../../support/background-land.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenBytes,
  writtenCell,
} from '../../support/written-chart.ts';

/** A coast chart of a square degree, with a rock east of its middle. */
const coarse = (west: number, south: number): WrittenPlan => ({
  name: 'ZZ3COAST',
  usageBand: 3,
  scaleDenominator: 100_000,
  areas: [
    ['M_COVR', [west, south, west + 1, south + 1], { CATCOV: 1 }],
    ['DEPARE', [west, south, west + 1, south + 1], { DRVAL1: 20, DRVAL2: 30 }],
  ],
  points: [['UWTROC', [west + 0.55, south + 0.5], { VALSOU: 1, WATLEV: 3 }]],
});

/** A harbour chart in its middle, with a skin in its western part only. */
const harbour = (west: number, south: number, skinShare: number): WrittenPlan => ({
  name: 'ZZ5HARBR',
  usageBand: 5,
  scaleDenominator: 12_000,
  areas: [
    ['M_COVR', [west + 0.4, south + 0.4, west + 0.6, south + 0.6], { CATCOV: 1 }],
    ...(skinShare === 0
      ? []
      : [
          [
            'DEPARE',
            [west + 0.4, south + 0.4, west + 0.4 + 0.2 * skinShare, south + 0.6],
            { DRVAL1: 5, DRVAL2: 10 },
          ] as const,
        ]),
  ],
});

const areaOf = (rings: readonly (readonly number[])[]): number =>
  rings.reduce((sum, ring) => sum + doubleArea([...ring]), 0) / 2;

describe.each([
  [10, 40],
  [-70.5, -33.2],
])('a harbour chart at %d, %d without a skin in its eastern half', (west, south) => {
  const coastCell = writtenCell(coarse(west, south));
  const harbourCell = writtenCell(harbour(west, south, 0.5));
  const inWest = [west + 0.45, south + 0.52] as const;
  const inEast = [west + 0.55, south + 0.52] as const;

  test('shows the coast chart in that half of the vector tiles, and itself in the other', async () => {
    const chart = await WrittenChart.of([coastCell, harbourCell]);
    for (const zoom of [13, 15]) {
      const at = (place: readonly [number, number]) =>
        chart.features('DEPARE', zoom, place).map(({ properties }) => properties['d1']);
      expect(at(inWest), `west at zoom ${zoom}`).toEqual([5]);
      expect(at(inEast), `east at zoom ${zoom}`).toEqual([20]);
      expect(
        chart.features('UWTROC', zoom, [west + 0.55, south + 0.5]),
        `the rock at zoom ${zoom}`,
      ).toHaveLength(1);
    }
  });

  test('leaves one owner for every place of the covered ground', async () => {
    const { owners } = await WrittenChart.of([coastCell, harbourCell]);
    const areas = ['ZZ3COAST', 'ZZ5HARBR'].map((name) =>
      areaOf(finestFace(owners.get(name)!).rings),
    );
    expect(areas[0]! + areas[1]!).toBe(1e14);
    expect(areas[1]).toBe(0.02 * 1e14);
  });

  test('uses the coast chart for GeoJSON tiles and queries in that half', async () => {
    const tiles = await DataTiles.raw([coastCell, harbourCell]);
    const cellsAt = (place: readonly [number, number]) =>
      (tiles.read(tileAt(14, place))!.features as unknown as readonly RawFeature[])
        .filter(({ properties }) => properties.layerId === 'DEPARE')
        .map(({ id }) => id.split('.')[0]);
    expect(cellsAt(inEast)).toEqual(['ZZ3COAST']);
    expect(cellsAt(inWest)).toEqual(['ZZ5HARBR']);

    const chart = await WrittenChart.of([coastCell, harbourCell]);
    const counts = [coastCell, harbourCell].map((cell) => {
      const made = sliceQuery(cell, chart.ownershipOf(cell), chart.clipper);
      const rocks = made.flatMap(({ bytes }) => {
        const bucket = new Bucket(bytes);
        return [...bucket.classes].filter((code) => code === UWTROC);
      });
      return rocks.length;
    });
    // Once at each tier at which ownership differs: the rock belongs to the coast chart at all of them.
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBe(0);
  });
});

interface RawFeature {
  readonly id: string;
  readonly properties: { readonly layerId: string };
}

/** Object class code of underwater rocks. */
const UWTROC = 153;

test('a harbour chart without any skin hides nothing of the coarser chart', async () => {
  const cells = [writtenCell(coarse(10, 40)), writtenCell(harbour(10, 40, 0))];
  const chart = await WrittenChart.of(cells);
  const faces = chart.owners.get('ZZ5HARBR')!.faces;
  expect(faces.map(({ rings }) => rings)).toEqual(faces.map(() => []));
  expect(chart.features('DEPARE', 14, [10.5, 40.5])).toHaveLength(1);
});

test('a harbour chart without any skin is shown as coverage without depths if no other cell has charted the ground', async () => {
  const alone = await WrittenChart.of([writtenCell(harbour(10, 40, 0))]);
  expect(areaOf(finestFace(alone.owners.get('ZZ5HARBR')!).rings)).toBe(0.04 * 1e14);
  expect(alone.features('coverage', 14, [10.5, 40.5])).toHaveLength(1);
});

test('shoreline tiles show the land of the background where a chart covers ground without land or water', async () => {
  const land = backgroundLand([10, 40, 11, 41]);
  const isLand = (tiles: DataTiles, place: readonly [number, number]) =>
    tiles.read(tileAt(15, place))!.features.length > 0;
  const inWest = [10.45, 40.52] as const;
  const inEast = [10.55, 40.52] as const;
  const half = await DataTiles.shore([writtenCell(harbour(10, 40, 0.5))], land);
  expect([inWest, inEast].map((place) => isLand(half, place))).toEqual([false, true]);
  const whole = await DataTiles.shore([writtenCell(harbour(10, 40, 1))], land);
  expect([inWest, inEast].map((place) => isLand(whole, place))).toEqual([false, false]);
  // A gap of 20 m between two depth areas is a fault of the data.
  const gap = 2.4e-4;
  const apart = writtenCell({
    ...harbour(10, 40, 0),
    areas: [
      ['M_COVR', [10.4, 40.4, 10.6, 40.6], { CATCOV: 1 }],
      ['DEPARE', [10.4, 40.4, 10.5, 40.6], { DRVAL1: 5, DRVAL2: 10 }],
      ['DEPARE', [10.5 + gap, 40.4, 10.6, 40.6], { DRVAL1: 5, DRVAL2: 10 }],
    ],
  });
  expect(isLand(await DataTiles.shore([apart], land), [10.5 + gap / 2, 40.52])).toBe(false);
  // Also where a coarser chart has charted the ground.
  const cells = [writtenCell(coarse(10, 40)), writtenCell(harbour(10, 40, 0.5))];
  const over = await DataTiles.shore(cells, land);
  expect([inWest, inEast].map((place) => isLand(over, place))).toEqual([false, false]);
});

test('only ground of a cell without gaps is marked as full, so that no pattern is drawn below its depths', async () => {
  const markOf = async (share: number) => {
    const chart = await WrittenChart.of([writtenCell(harbour(10, 40, share))]);
    return chart
      .features('coverage', 14, [10.45, 40.5])
      .map(({ properties }) => properties['full']);
  };
  expect(await markOf(1)).toEqual([1]);
  expect(await markOf(0.5)).toEqual([undefined]);
});

describe('two cells that both cover ground without a skin', () => {
  test('show the better one', async () => {
    const bare = { ...harbour(10, 40, 0), name: 'ZZ5OTHER', scaleDenominator: 20_000 };
    const chart = await WrittenChart.of([writtenCell(harbour(10, 40, 0)), writtenCell(bare)]);
    expect(areaOf(finestFace(chart.owners.get('ZZ5HARBR')!).rings)).toBe(0.04 * 1e14);
    expect(finestFace(chart.owners.get('ZZ5OTHER')!).rings).toEqual([]);
  });
});

describe('the scan of a cell', () => {
  const problemsOf = async (plan: WrittenPlan) => {
    const folder = mkdtempSync(join(tmpdir(), 'leadline-skin-'));
    try {
      const path = join(folder, `${plan.name}.000`);
      writeFileSync(path, writtenBytes(plan));
      const location = { name: plan.name, base: { name: `${plan.name}.000`, path }, updates: [] };
      const { scan } = await scanCell(location, join(folder, 'cache'), 'code');
      return scan.problems.map(({ code, message }) => `${code}: ${message}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test('reports the share of its coverage without a skin', async () => {
    const problems = await problemsOf(harbour(10, 40, 0.75));
    expect(problems.join('\n')).toMatch(
      /coverage-without-skin: ZZ5HARBR has no Group 1 area on 25\.000 %/,
    );
  });

  test('reports nothing if the skin fills the coverage along other edges', async () => {
    expect((await problemsOf(harbour(10, 40, 1))).join()).not.toContain('coverage-without-skin');
  });

  test('reports a gap although a doubled area has the same total', async () => {
    const plan = harbour(10, 40, 0.5);
    const doubled = { ...plan, areas: [...plan.areas, plan.areas[1]!] };
    expect((await problemsOf(doubled)).join()).toContain('has no Group 1 area on 50.000 %');
  });
});
