// The zoom from which objects without SCAMIN are shown on a chart that is drawn below its scale, and from which
// soundings are shown on both sides of a border between charts.

import { describe, expect, it } from 'vitest';
import { withFloors } from '../../../tiles-build/generalise/floors.ts';
import { SHORE_CLASSES } from '../../../tiles-build/portray/features/skin.ts';
import { CLASS_RULES } from '../../../tiles-build/portray/portray-cell.ts';
import { drawnIn } from '../../support/drawn-points.ts';
import { WrittenChart, type WrittenPlan, writtenCell } from '../../support/written-chart.ts';

const REFERENCE = { scaleZoom: 12, soundingsZoom: 11.5 };
const AT = { type: 'point', longitude: 5, latitude: 43 } as const;

/** The zoom from which a point is shown: that of its floor or SCAMIN. */
function zoomOf(layer: string, properties: Record<string, string | number> = {}) {
  const drawable = { layer, properties, geometry: AT, minZoom: 0, key: layer };
  return withFloors([drawable], REFERENCE)[0]!.properties['mz'];
}

describe('withFloors', () => {
  it.each([
    ['a rock on the coast', 'UWTROC', { dd: 0, ud: 10 }, 10],
    ['a rock in deep water', 'UWTROC', { dd: 0, ud: 50 }, 7],
    ['a wreck deeper than any ship', 'WRECKS', { dd: 45, ud: 50 }, 10],
    ['a platform', 'OFSPLF', {}, 10],
    ['a lock gate', 'GATCON', {}, 10],
    ['the clearance of a bridge', 'AREASYM', { cls: 'BRIDGE' }, 10],
    ['a light', 'LIGHTS', { vn: 5 }, 10],
    ['a major light', 'LIGHTS', { vn: 20, mj: 1 }, 7],
    ['a sector of a major light', 'LIGHTS_SECTOR', { vn: 20 }, 7],
    ['a magnetic variation', 'MAGVAR', {}, 11],
    ['a magnetic variation of an area', 'AREASYM', { cls: 'MAGVAR' }, 11],
    ['the name of a sea', 'AREASYM', { cls: 'SEAARE' }, 8],
    ['the name of a dredged area', 'AREASYM', { cls: 'DRGARE' }, 10],
    ['an islet', 'LNDARE', {}, 8],
    ['an object with SCAMIN', 'BOYLAT', { mz: 6.5 }, 6.5],
    ['a sounding', 'SOUNDG', {}, 11.5],
    ['a sounding that SCAMIN shows later', 'SOUNDG', { mz: 12.2 }, 11.5],
    ['a sounding that SCAMIN shows earlier', 'SOUNDG', { mz: 10.1 }, 10.1],
  ])('shows %s from its floor on', (_, layer, properties, zoom) => {
    expect(zoomOf(layer, properties)).toBe(zoom);
  });

  it('gives the symbol of every class a floor', () => {
    const without = Object.keys(CLASS_RULES).filter(
      (acronym) => zoomOf('AREASYM', { cls: acronym }) === undefined,
    );
    expect(without).toEqual([]);
  });

  it('never hides depths, land and coasts', () => {
    const geometry = { type: 'area', polygons: [] } as const;
    const classes = ['DEPARE', 'DRGARE', 'UNSARE', 'LNDARE', 'DEPEDGE', ...SHORE_CLASSES];
    const ground = classes.map((layer) => ({
      ...{ layer, properties: {}, geometry, minZoom: 0, key: layer },
    }));
    expect(withFloors(ground, REFERENCE)).toEqual(ground);
  });
});

const [WEST, SOUTH, SIDE] = [5, 43, 0.1];

/** A chart of 3 m of water with a rock, a platform and soundings; charts lie side by side. */
function harbour(column: number, scaleDenominator: number, more: Partial<WrittenPlan> = {}) {
  const west = WEST + column * SIDE;
  const box = [west, SOUTH, west + SIDE, SOUTH + SIDE] as const;
  const grid = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20)] as const);
  return writtenCell({
    name: `ZZ5PORT${column}`,
    usageBand: 5,
    scaleDenominator,
    areas: [
      ['M_COVR', box, { CATCOV: 1 }],
      ['DEPARE', box, { DRVAL1: 3, DRVAL2: 10 }],
    ],
    points: [
      ['UWTROC', [west + 0.052, SOUTH + 0.052], { WATLEV: 3 }],
      ['OFSPLF', [west + 0.022, SOUTH + 0.022]],
    ],
    soundings: grid.map(([x, y]) => [
      west + ((x + 0.5) * SIDE) / 20,
      SOUTH + ((y + 0.5) * SIDE) / 20,
      3 + ((x * 7 + y * 3) % 60) / 10,
    ]),
    ...more,
  });
}

function counts(chart: WrittenChart, column: number, layer: string, zoom: number): number {
  const west = WEST + column * SIDE;
  const inset = 1e-4;
  const box = [west + inset, SOUTH + inset, west + SIDE - inset, SOUTH + SIDE - inset] as const;
  const scale = 512 * 2 ** Math.floor(zoom);
  const [left, right] = [(west / 360 + 0.5) * scale, ((west + SIDE) / 360 + 0.5) * scale];
  return drawnIn(chart, box, layer, Math.floor(zoom)).filter(
    ({ x, feature }) => x > left && x < right && Number(feature.properties['mz'] ?? 0) <= zoom,
  ).length;
}

/** 1:12,000 is zoom 14.0 at this latitude, 1:24,000 zoom 13.0. */
describe('a harbour chart without a coarser chart', () => {
  it('shows its dangers and structures from two zooms below its scale on', async () => {
    const chart = await WrittenChart.of([harbour(0, 12_000)]);
    const found = (zoom: number) =>
      ['UWTROC', 'OFSPLF'].map((layer) => counts(chart, 0, layer, zoom));
    expect([7, 9, 11, 11.5].map(found)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect([12, 13, 14, 15].map(found)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it('has the floors of a neighbour of a smaller scale', async () => {
    const chart = await WrittenChart.of([harbour(0, 12_000), harbour(1, 24_000)]);
    for (const zoom of [10, 11, 12]) {
      const [fine, coarse] = [0, 1].map((column) => counts(chart, column, 'OFSPLF', zoom));
      expect([zoom, fine]).toEqual([zoom, coarse]);
    }
    expect(counts(chart, 0, 'OFSPLF', 11)).toBe(1);
  });

  it('keeps its own floors next to a chart of a very different scale', async () => {
    const chart = await WrittenChart.of([harbour(0, 12_000), harbour(1, 150_000)]);
    expect([0, 1].map((column) => counts(chart, column, 'OFSPLF', 11))).toEqual([0, 1]);
  });
});

it('shows all objects at the zooms of its own band, where it replaces a coarser chart', async () => {
  const chart = await WrittenChart.of([harbour(0, 2_500)]);
  expect(counts(chart, 0, 'UWTROC', 12)).toBe(0);
  expect(['UWTROC', 'OFSPLF'].map((layer) => counts(chart, 0, layer, 13))).toEqual([1, 1]);
  expect(counts(chart, 0, 'SOUNDG', 13)).toBeGreaterThan(0);
});

it('shows soundings on both sides of a border of charts with different SCAMIN', async () => {
  const cells = [
    harbour(0, 12_000, { soundingWords: { SCAMIN: 17_999 } }),
    harbour(1, 24_000, { soundingWords: { SCAMIN: 29_999 } }),
  ];
  const chart = await WrittenChart.of(cells);
  for (let zoom = 11; zoom <= 15; zoom += 0.5) {
    const [a, b] = [0, 1].map((column) => counts(chart, column, 'SOUNDG', zoom)) as [
      number,
      number,
    ];
    const step = a === b ? 1 : Math.max(a, b) / Math.min(a, b);
    expect(step, `${a} and ${b} soundings at zoom ${zoom}`).toBeLessThanOrEqual(2);
  }
  // SCAMIN of 1:29,999 is zoom 12.7.
  expect(counts(chart, 0, 'SOUNDG', 12.5)).toBe(0);
  expect(counts(chart, 0, 'SOUNDG', 12.8)).toBeGreaterThan(50);
});

it('thins magnetic variations below the scale of their chart', async () => {
  const points: WrittenPlan['points'] = Array.from({ length: 30 }, (_, i) => [
    'MAGVAR',
    [WEST + 0.005 + 0.006 * (i % 6), SOUTH + 0.01 + 0.006 * Math.floor(i / 6)],
    { VALMAG: -21.5 },
  ]);
  const chart = await WrittenChart.of([harbour(0, 12_000, { points })]);
  expect(counts(chart, 0, 'MAGVAR', 12)).toBe(0);
  const atThirteen = counts(chart, 0, 'MAGVAR', 13);
  expect(atThirteen).toBeGreaterThan(1);
  expect(atThirteen).toBeLessThan(28);
  expect(counts(chart, 0, 'MAGVAR', 14)).toBe(30);
});

it.each(['points', 'areas'] as const)(
  'shows a danger in deep water although a shoaler one next to it appears later: %s',
  async (kind) => {
    // 0.0045° = 6.5 pixels at zoom 10, and 0.0001° is less than a pixel.
    const [middle, north] = [WEST + SIDE / 2, SOUTH + SIDE / 2];
    const dangers = [
      [middle - 0.0023, { WATLEV: 3, VALSOU: 1 }],
      [middle + 0.0022, { WATLEV: 3, VALSOU: 2 }],
    ] as const;
    const box = [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE] as const;
    const cell = writtenCell({
      name: 'ZZ4DEEPS',
      usageBand: 4,
      scaleDenominator: 45_000,
      areas: [
        ['M_COVR', box, { CATCOV: 1 }],
        ['DEPARE', [WEST, SOUTH, middle, SOUTH + SIDE], { DRVAL1: 20, DRVAL2: 30 }],
        ['DEPARE', [middle, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 50, DRVAL2: 100 }],
        ...(kind === 'points'
          ? []
          : dangers.map(
              ([x, words]) => ['OBSTRN', [x, north, x + 1e-4, north + 1e-4], words] as const,
            )),
      ],
      points:
        kind === 'areas' ? [] : dangers.map(([x, words]) => ['OBSTRN', [x, north], words] as const),
    });
    const chart = await WrittenChart.of([cell]);
    for (let zoom = 8; zoom <= 11; zoom++) {
      const shown = chart
        .features('OBSTRN', zoom, [middle, north])
        .filter(({ type, properties }) => type === 1 && Number(properties['rz'] ?? 0) <= zoom);
      const isolated = shown.filter(({ properties }) => Number(properties['ud']) >= 50);
      expect(isolated, `zoom ${zoom}`).toHaveLength(1);
    }
  },
);
