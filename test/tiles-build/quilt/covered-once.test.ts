// A cell whose coverage objects (M_COVR, CATCOV 1) overlap owns that ground once: its objects there are
// shown and hide those of coarser charts.

import { describe, expect, test } from 'vitest';
import { doubleArea } from '../../../shared/geo/ring.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { finestFace } from '../../../tiles-build/quilt/ownership.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import {
  tileAt,
  WrittenChart,
  type WrittenPlan,
  writtenCell,
} from '../../support/written-chart.ts';

const COVERED = { CATCOV: 1 };
const ROCK = { VALSOU: 1, WATLEV: 3 };
const inOverlap = [10.05, 50.05] as const;

/** A harbour chart with two coverage objects, and a rock and a sounding where they overlap. */
const harbour = (second: WrittenPlan['areas'][number][1]): WrittenPlan => ({
  name: 'ZZ5TWICE',
  usageBand: 5,
  scaleDenominator: 10_000,
  areas: [
    ['M_COVR', [10, 50, 10.07, 50.1], COVERED],
    ['M_COVR', second, COVERED],
    ['DEPARE', [10, 50, 10.1, 50.1], { DRVAL1: 5, DRVAL2: 10 }],
  ],
  points: [['UWTROC', inOverlap, ROCK]],
  soundings: [[...inOverlap, 3.2]],
});

const coast: WrittenPlan = {
  name: 'ZZ3COAST',
  usageBand: 3,
  scaleDenominator: 100_000,
  areas: [
    ['M_COVR', [9.5, 49.5, 10.5, 50.5], COVERED],
    ['DEPARE', [9.5, 49.5, 10.5, 50.5], { DRVAL1: 20, DRVAL2: 30 }],
  ],
  points: [['WRECKS', inOverlap, ROCK]],
};

describe.each([
  ['in a strip', [10.03, 50, 10.1, 50.1]],
  ['as one contains the other', [10.03, 50.03, 10.06, 50.06]],
] as const)('where coverage overlaps %s', (_, second) => {
  const cell = writtenCell(harbour(second));
  const coastCell = writtenCell(coast);

  test('the tiles show the rock and the sounding of the cell, and not the wreck of the coarser chart', async () => {
    const chart = await WrittenChart.of([cell, coastCell]);
    const counts = ['DEPARE', 'UWTROC', 'SOUNDG', 'WRECKS'].map(
      (layer) => chart.features(layer, 15, inOverlap).length,
    );
    expect(counts).toEqual([1, 1, 1, 0]);
  });

  test('the cell’s ground is counted once', async () => {
    const { owners } = await WrittenChart.of([cell, coastCell]);
    const twice = ['ZZ5TWICE', 'ZZ3COAST'].flatMap((name) =>
      finestFace(owners.get(name)!).rings.map((ring) => doubleArea(ring)),
    );
    expect(twice.reduce((sum, area) => sum + area, 0)).toBe(2e14);
  });

  test('GeoJSON tiles and queries contain the rock and the sounding', async () => {
    const tiles = await DataTiles.raw([cell, coastCell]);
    const held = tiles
      .read(tileAt(16, inOverlap))!
      .features.map(({ properties }) => (properties as { readonly layerId: string }).layerId);
    expect(held).toEqual(expect.arrayContaining(['UWTROC', 'SOUNDG']));
    expect(held).not.toContain('WRECKS');

    const chart = await WrittenChart.of([cell, coastCell]);
    const classes = sliceQuery(cell, chart.ownershipOf(cell), chart.clipper).flatMap(
      ({ bytes }) => [...new Bucket(bytes).classes],
    );
    expect(classes).toEqual(expect.arrayContaining([UWTROC, SOUNDG]));
  });
});

/** Object class codes. */
const UWTROC = 153;
const SOUNDG = 129;

test('coverage objects that only share an edge are unchanged', async () => {
  const cell = writtenCell(harbour([10.07, 50, 10.1, 50.1]));
  const { owners } = await WrittenChart.of([cell]);
  expect(owners.get('ZZ5TWICE')!.coverage).toHaveLength(2);
});
