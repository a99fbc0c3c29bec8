// A cell that claims to cover ground of which it says nothing (no area of S-57 Group 1) must not hide
// what another cell says of it. Cells are written as S-57 files and read back.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { scanCell } from '../../../tiles-build/pipeline/scan-cell.ts';
import { finestFace } from '../../../tiles-build/quilt/ownership.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenBytes,
  writtenCell,
} from '../../support/written-chart.ts';

/** A coast chart of a square degree; a beacon in the east of its middle. */
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

/** A harbour chart in its middle, whose skin ends half-way; the rest it only covers. */
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

  test('lets the coast chart show in that half of the vector tiles, and shows itself in the other', async () => {
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

  test('the quilt leaves every place of the covered ground with one owner', async () => {
    const { owners } = await WrittenChart.of([coastCell, harbourCell]);
    const areas = ['ZZ3COAST', 'ZZ5HARBR'].map((name) =>
      areaOf(finestFace(owners.get(name)!).rings),
    );
    expect(areas[0]! + areas[1]!).toBe(1e14);
    expect(areas[1]).toBe(0.02 * 1e14);
  });

  test('lets the coast chart answer GeoJSON tiles and queries in that half', async () => {
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
    // Once at each tier at which the quilt differs: the rock is the coast chart's at all of them.
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

test('a harbour chart that has no skin at all hides nothing of the chart beneath', async () => {
  const cells = [writtenCell(coarse(10, 40)), writtenCell(harbour(10, 40, 0))];
  const chart = await WrittenChart.of(cells);
  const faces = chart.owners.get('ZZ5HARBR')!.faces;
  expect(faces.map(({ rings }) => rings)).toEqual(faces.map(() => []));
  expect(chart.features('DEPARE', 14, [10.5, 40.5])).toHaveLength(1);
});

test('a harbour chart that has no skin at all is still shown as covered without depths where nobody else has charted the ground', async () => {
  const alone = await WrittenChart.of([writtenCell(harbour(10, 40, 0))]);
  expect(areaOf(finestFace(alone.owners.get('ZZ5HARBR')!).rings)).toBe(0.04 * 1e14);
  expect(alone.features('coverage', 14, [10.5, 40.5])).toHaveLength(1);
});

describe('two cells that both cover ground without a skin', () => {
  test('part it between them, the better one first', async () => {
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

  test('the scan of a cell names the share of its coverage that a cell says nothing of', async () => {
    const problems = await problemsOf(harbour(10, 40, 0.75));
    expect(problems.join('\n')).toMatch(
      /coverage-without-skin: ZZ5HARBR says nothing of 25\.000 %/,
    );
  });

  test('the scan of a cell says nothing of the sort about a cell whose skin fills its coverage along other edges', async () => {
    expect((await problemsOf(harbour(10, 40, 1))).join()).not.toContain('coverage-without-skin');
  });

  test('the scan of a cell names a gap that a doubled area makes up for', async () => {
    const plan = harbour(10, 40, 0.5);
    const doubled = { ...plan, areas: [...plan.areas, plan.areas[1]!] };
    expect((await problemsOf(doubled)).join()).toContain('says nothing of 50.000 %');
  });
});
