// Soundings, dangers and aids of written cells in vector tiles below the compilation scale: a shown point
// is never deeper than those it represents, and no danger is hidden without one that represents it.

import { beforeAll, describe, expect, test } from 'vitest';
import { latitudeAt, longitudeAt } from '../../../shared/geo/mercator.ts';
import type { TileFeature } from '../../../shared/mvt/decode.ts';
import { distance, drawnIn, pixelsAt } from '../../support/drawn-points.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenCell,
} from '../../support/written-chart.ts';

type Place = readonly [longitude: number, latitude: number];

const WEST = 5.01;
const SOUTH = 43.01;
const SIDE = 0.1;
/** Harbour charts of 1:12,000 are generalised below this zoom at this latitude. */
const NATIVE_ZOOM = 14;
const SCALE = 12_000;

/** Factor of the distance between symbols, compared with the zoom before the chart's scale. */
const widerAt = (zoom: number) => Math.min(2.5, 1 + 0.5 * (NATIVE_ZOOM - 1 - zoom));

/** Two depth areas side by side: 0 to 5 m in the west, 5 to 20 m in the east. */
const harbour = (more: Partial<WrittenPlan>): WrittenPlan => ({
  name: 'ZZ5HARBR',
  usageBand: 5,
  scaleDenominator: SCALE,
  areas: [
    ['M_COVR', [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], { CATCOV: 1 }],
    ['DEPARE', [WEST, SOUTH, WEST + SIDE / 2, SOUTH + SIDE], { DRVAL1: 0, DRVAL2: 5 }],
    ['DEPARE', [WEST + SIDE / 2, SOUTH, WEST + SIDE, SOUTH + SIDE], { DRVAL1: 5, DRVAL2: 20 }],
  ],
  ...more,
});

const somewhere = (random: () => number): Place => [
  WEST + random() * SIDE,
  SOUTH + random() * SIDE,
];

/** Features of a layer at a zoom, in all tiles of the cell, with positions in pixels at the zoom. */
const drawn = (chart: WrittenChart, layer: string, zoom: number) =>
  drawnIn(chart, [WEST, SOUTH, WEST + SIDE, SOUTH + SIDE], layer, zoom);

describe('soundings of a random sea', () => {
  const random = seededRandom(7);
  const soundings = Array.from({ length: 1500 }, () => {
    const [x, y] = somewhere(random);
    const isWest = x < WEST + SIDE / 2;
    const depth = Math.round((isWest ? random() * 5.5 - 0.5 : 5 + random() * 15) * 10) / 10;
    return [x, y, depth] as const;
  });
  let chart: WrittenChart;
  beforeAll(async () => {
    chart = await WrittenChart.of([writtenCell(harbour({ soundings }))], { floors: false });
  });

  /** Fully shown soundings; soundings of the next zoom are in the tile to fade in. */
  const shownAt = (zoom: number) =>
    drawn(chart, 'SOUNDG', zoom).filter(
      ({ feature }) => Number(feature.properties['mz'] ?? 0) <= zoom,
    );

  test('hide only soundings that are no shoaler than a shown one near them, at every zoom', () => {
    const deeper: string[] = [];
    for (let zoom = 6; zoom <= NATIVE_ZOOM; zoom++) {
      const shown = shownAt(zoom);
      for (const [x, y, depth] of soundings) {
        const at = pixelsAt(zoom, [x, y]);
        const near = shown.filter((one) => distance(one, at) < 24);
        const least = Math.min(...near.map(({ feature }) => Number(feature.properties['d'])));
        if (least > depth) deeper.push(`${least} m for ${depth} m at zoom ${zoom}`);
      }
    }
    expect(deeper).toEqual([]);
  });

  test('do not touch below the compilation scale, and are all shown at it', () => {
    for (let zoom = 6; zoom < NATIVE_ZOOM; zoom++) {
      const shown = shownAt(zoom);
      const nearest = shown.map((a, i) =>
        shown.slice(i + 1).reduce((least, b) => Math.min(least, distance(a, b)), Infinity),
      );
      expect(Math.min(...nearest), `zoom ${zoom}`).toBeGreaterThan(14.5);
    }
    expect(shownAt(NATIVE_ZOOM)).toHaveLength(soundings.length);
  });

  test('appear half a zoom before the zoom at which they have space', () => {
    for (let zoom = 8; zoom < NATIVE_ZOOM; zoom++) {
      const all = drawn(chart, 'SOUNDG', zoom);
      const later = all.filter(({ feature }) => feature.properties['mz'] === zoom + 0.5);
      expect(all).toHaveLength(shownAt(zoom).length + later.length);
      // Few soundings are hidden at the next zoom by a shoaler one next to them.
      const ids = new Set(all.map(({ feature }) => feature.id));
      const missing = shownAt(zoom + 1).filter(({ feature }) => !ids.has(feature.id));
      expect(missing).toEqual([]);
      expect(all.length).toBeLessThan(shownAt(zoom + 1).length * 1.2);
    }
  });
});

test('both sides of a contour keep their shoalest sounding if there is space for both', async () => {
  const middle = SOUTH + SIDE / 2;
  const soundings = [
    [WEST + SIDE / 2 - 0.004, middle, 0.5],
    [WEST + SIDE / 2 + 0.004, middle, 5.5],
    [WEST + SIDE / 2 + 0.006, middle, 9],
  ] as const;
  const chart = await WrittenChart.of([writtenCell(harbour({ soundings }))], { floors: false });
  // 0.008° = 23 pixels at zoom 11.
  const depths = drawn(chart, 'SOUNDG', 11)
    .filter(({ feature }) => feature.properties['mz'] === undefined)
    .map(({ feature }) => feature.properties['d']);
  // The shallowest is drawn last.
  expect(depths).toEqual([5.5, 0.5]);
});

describe('dangers of a random sea', () => {
  const random = seededRandom(11);
  const rocks = Array.from({ length: 300 }, (_, i) => {
    const at = somewhere(random);
    const words =
      i % 5 === 0
        ? { WATLEV: 4 }
        : { WATLEV: 3, VALSOU: Math.round(random() * 150) / 10, SCAMIN: 22_000 };
    return { at, words };
  });
  let chart: WrittenChart;
  beforeAll(async () => {
    const points = rocks.map(({ at, words }) => ['UWTROC', at, words] as const);
    chart = await WrittenChart.of([writtenCell(harbour({ points }))], { floors: false });
  });
  const isIsolated = ({ properties }: TileFeature, limit: number) =>
    Number(properties['dd']) <= limit && Number(properties['ud']) >= limit;

  test('are counted by a shown one if hidden', () => {
    for (let zoom = 5; zoom < NATIVE_ZOOM; zoom++) {
      const present = drawn(chart, 'UWTROC', zoom);
      const counted = present.reduce(
        (sum, { feature }) => sum + Number(feature.properties['n'] ?? 1),
        0,
      );
      expect(counted, `zoom ${zoom}`).toBe(rocks.length);
    }
    expect(drawn(chart, 'UWTROC', NATIVE_ZOOM)).toHaveLength(rocks.length);
  });

  test('have a shown isolated danger near each hidden one, for any safety contour', () => {
    const all = drawn(chart, 'UWTROC', NATIVE_ZOOM);
    for (const limit of [0.5, 2, 3, 5, 8]) {
      for (let zoom = 5; zoom < NATIVE_ZOOM; zoom++) {
        const shown = drawn(chart, 'UWTROC', zoom).filter(({ feature }) =>
          isIsolated(feature, limit),
        );
        for (const { feature, x, y } of all) {
          if (!isIsolated(feature, limit)) continue;
          const down = 2 ** (NATIVE_ZOOM - zoom);
          const near = shown.filter((one) => distance(one, { x: x / down, y: y / down }) < 24);
          expect(near.length, `limit ${limit} at zoom ${zoom}`).toBeGreaterThan(0);
        }
      }
    }
  });

  test('include the shoalest at every zoom', () => {
    for (let zoom = 5; zoom < NATIVE_ZOOM; zoom++) {
      const depths = drawn(chart, 'UWTROC', zoom).map(({ feature }) =>
        Number(feature.properties['dd']),
      );
      expect(Math.min(...depths)).toBe(-15);
    }
  });
});

test('a rock in shallow water and one in deep water next to it are not combined into one isolated danger', async () => {
  const middle = WEST + SIDE / 2;
  // 0.002° = 11 pixels at zoom 12: a drying rock in the shallow half, and one at 4.5 m in the deep half.
  const points = [
    ['UWTROC', [middle - 0.001, SOUTH + 0.05], { WATLEV: 4 }],
    ['UWTROC', [middle + 0.001, SOUTH + 0.05], { WATLEV: 3, VALSOU: 4.5 }],
  ] as const;
  const chart = await WrittenChart.of([writtenCell(harbour({ points }))], { floors: false });
  const isolatedAt = (limit: number) =>
    drawn(chart, 'UWTROC', 12).filter(
      ({ feature: { properties } }) =>
        Number(properties['dd']) <= limit && Number(properties['ud']) >= limit,
    ).length;
  expect([1, 3, 5].map(isolatedAt)).toEqual([0, 0, 1]);
});

test('a danger that may have expired represents no other', async () => {
  const at: Place = [WEST + 0.07, SOUTH + 0.05];
  const points = [
    ['WRECKS', at, { WATLEV: 3, VALSOU: 1, CATWRK: 2, DATEND: '20260301' }],
    ['WRECKS', [at[0] + 2e-4, at[1]], { WATLEV: 3, VALSOU: 4, CATWRK: 2 }],
    ['WRECKS', [at[0] + 4e-4, at[1]], { WATLEV: 3, VALSOU: 6, CATWRK: 2 }],
  ] as const;
  const chart = await WrittenChart.of([writtenCell(harbour({ points }))], { floors: false });
  const found = drawn(chart, 'WRECKS', 10).map(({ feature: { properties } }) => [
    properties['d'],
    properties['n'],
  ]);
  expect(found).toEqual([
    [1, undefined],
    [4, 2],
  ]);
});

describe('aids to navigation', () => {
  const at: Place = [WEST + SIDE / 2, SOUTH + SIDE / 2];
  const beside = (step: number): Place => [at[0] + step * 1e-4, at[1]];
  const buoys = Array.from(
    { length: 30 },
    (_, i) => ['BOYSPP', beside(i + 1), { COLOUR: '6', BOYSHP: 4, CATSPM: '27' }] as const,
  );
  const lit = [
    ['BOYLAT', at, { COLOUR: '3', BOYSHP: 2, CATLAM: 2 }],
    ['LIGHTS', at, { COLOUR: '3', LITCHR: 2, VALNMR: 4 }],
  ] as const;

  test('show a lit channel buoy with its light instead of yellow ones, with the number it represents', async () => {
    const chart = await WrittenChart.of([writtenCell(harbour({ points: [...buoys, ...lit] }))], {
      floors: false,
    });
    // 30 buoys over 0.003° = 9 pixels at zoom 11.
    expect(drawn(chart, 'BOYSPP', 11)).toEqual([]);
    expect(drawn(chart, 'LIGHTS', 11)).toHaveLength(1);
    expect(drawn(chart, 'BOYLAT', 11).map(({ feature }) => feature.properties['n'])).toEqual([31]);
    expect(drawn(chart, 'BOYSPP', NATIVE_ZOOM)).toHaveLength(30);
  });

  test('are thinned at the whole zoom before their SCAMIN zoom too', async () => {
    // 1:80,000 is zoom 11.3 here.
    const points = buoys.map(
      ([acronym, place, words]) => [acronym, place, { ...words, SCAMIN: 80_000 }] as const,
    );
    const chart = await WrittenChart.of([writtenCell(harbour({ points }))], { floors: false });
    expect(drawn(chart, 'BOYSPP', 11).map(({ feature }) => feature.properties['n'])).toEqual([30]);
  });

  test('are not hidden by an aid that SCAMIN hides', async () => {
    const late = lit.map(
      ([acronym, place, words]) => [acronym, place, { ...words, SCAMIN: 20_000 }] as const,
    );
    const chart = await WrittenChart.of([writtenCell(harbour({ points: [...buoys, ...late] }))], {
      floors: false,
    });
    expect(drawn(chart, 'BOYLAT', 11)).toEqual([]);
    expect(drawn(chart, 'BOYSPP', 11).map(({ feature }) => feature.properties['n'])).toEqual([30]);
  });
});

test('a group of piles becomes one with their number, and a conspicuous tower comes first', async () => {
  const at = (step: number): Place => [WEST + 0.03 + step * 1e-4, SOUTH + 0.03];
  const piles = Array.from({ length: 12 }, (_, i) => ['PILPNT', at(i)] as const);
  const towers = [
    ['LNDMRK', at(0), { CATLMK: 17 }],
    ['LNDMRK', at(3), { CATLMK: 17, CONVIS: 1 }],
  ] as const;
  const chart = await WrittenChart.of([writtenCell(harbour({ points: [...piles, ...towers] }))], {
    floors: false,
  });
  const values = (layer: string, key: string) =>
    drawn(chart, layer, 10).map(({ feature }) => feature.properties[key]);
  expect(values('PILPNT', 'n')).toEqual([12]);
  expect(values('LNDMRK', 'n')).toEqual([2]);
  expect(values('LNDMRK', 'cv')).toEqual([1]);
});

test('symbols are further apart the further the chart is below its scale', async () => {
  const random = seededRandom(12);
  const points = Array.from({ length: 200 }, () => ['PILPNT', somewhere(random)] as const);
  const chart = await WrittenChart.of([writtenCell(harbour({ points }))], { floors: false });
  for (let zoom = 10; zoom < NATIVE_ZOOM; zoom++) {
    const shown = drawn(chart, 'PILPNT', zoom);
    expect(shown.length, `zoom ${zoom}`).toBeGreaterThan(1);
    const least = Math.min(
      ...shown.flatMap((a, i) => shown.slice(i + 1).map((b) => distance(a, b))),
    );
    // Positions in tiles are rounded to a pixel or less.
    expect(least, `zoom ${zoom}`).toBeGreaterThan(16 * widerAt(zoom) - 1.5);
  }
});

test('the deepest tiles contain objects whose SCAMIN zoom is deeper', async () => {
  const rock = ['PILPNT', [WEST + 0.01, SOUTH + 0.01], { SCAMIN: 1500 }] as const;
  const chart = await WrittenChart.of([writtenCell(harbour({ points: [rock] }))], {
    floors: false,
  });
  // 1:1,500 is zoom 17.1 here; tiles of harbour charts end at zoom 15.
  const found = drawn(chart, 'PILPNT', 15);
  expect(found.map(({ feature }) => feature.properties['mz'])).toEqual([17]);
  expect(drawn(chart, 'PILPNT', 14)).toEqual([]);
});

test('the same cell at a distant longitude shows the same soundings', async () => {
  const random = seededRandom(3);
  const offsets = Array.from({ length: 60 }, () => [
    random() * SIDE,
    random() * SIDE,
    random() * 9,
  ]);
  const depthsAt = async (west: number, south: number) => {
    const soundings = offsets.map(
      ([x, y, depth]) => [west + x!, south + y!, Math.round(depth! * 10) / 10] as const,
    );
    const box = [west, south, west + SIDE, south + SIDE] as const;
    const plan: WrittenPlan = {
      ...harbour({ soundings }),
      areas: [
        ['M_COVR', box, { CATCOV: 1 }],
        ['DEPARE', box, { DRVAL1: 0, DRVAL2: 20 }],
      ],
    };
    const chart = await WrittenChart.of([writtenCell(plan)], { floors: false });
    const z = 11;
    const tile = tileAt(z, [west + SIDE / 2, south + SIDE / 2]);
    const found: number[] = [];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const { properties } of chart.tile('SOUNDG', { z, x: tile.x + dx, y: tile.y + dy })) {
          if (properties['mz'] === undefined) found.push(Number(properties['d']));
        }
      }
    }
    return found.sort((a, b) => a - b);
  };
  const south = latitudeAt(0.4);
  const there = longitudeAt(0.1);
  expect(await depthsAt(there, south)).toEqual(await depthsAt(there + 200, south));
});
