// The demo charts, read from their files: depths are consistent, objects are on plausible ground, and
// soundings are distributed as in surveys.

import { describe, expect, test } from 'vitest';
import { isPointInRing } from '../../../shared/geo/ring.ts';
import type { Cell, Feature } from '../../../shared/s57/cell/cell.ts';
import { areaOf, nodesOf, pointOf, positionsOf } from '../../../shared/s57/cell/geometry.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { DEMO_CELLS } from '../../../tiles-build/demo/isles/cells.ts';
import { demoFiles } from '../../../tiles-build/demo/write-demo-charts.ts';

/** Coastal, approach and harbour cells; the last has updates. */
const NAMES = ['ZL3ISLES', 'ZL4WICKB', 'ZL5WICKE'];
const SKIN = ['DEPARE', 'DRGARE', 'LNDARE', 'UNSARE', 'PONTON', 'FLODOC', 'HULKES'];

interface Ground {
  readonly feature: Feature;
  readonly rings: readonly Float64Array[];
}

/** A cell prepared for the tests. */
function chartOf(name: string) {
  const [base, ...updates] = demoFiles(DEMO_CELLS.find((cell) => cell.name === name)!);
  const read = readCell({ name, base: base!, updates });
  const cell = read.cell!;
  const ground = cell.features
    .filter(({ acronym, primitive }) => SKIN.includes(acronym) && primitive === 'area')
    .map((feature): Ground => {
      const rings = areaOf(cell, feature).flat();
      return { feature, rings: rings.map((ring) => positionsOf(ring.uses)) };
    });
  return { read, cell, ground };
}

const charts = new Map(NAMES.map((name) => [name, chartOf(name)]));

/** The parts of the ground that contain a position. */
const groundAt = (ground: readonly Ground[], longitude: number, latitude: number): Feature[] =>
  ground
    .filter(
      ({ rings }) => rings.filter((ring) => isPointInRing(longitude, latitude, ring)).length % 2,
    )
    .map(({ feature }) => feature);

interface Sounding {
  readonly longitude: number;
  readonly latitude: number;
  readonly depth: number;
}

const soundingsOf = (cell: Cell): Sounding[] =>
  cell.features
    .filter(({ acronym }) => acronym === 'SOUNDG')
    .flatMap((feature) => nodesOf(cell, feature))
    .flatMap(({ positions, depths }) =>
      [...depths!].map((depth, i) => {
        return { longitude: positions[2 * i]!, latitude: positions[2 * i + 1]!, depth };
      }),
    );

const wordsOf = ({ acronym, attributes }: Feature) =>
  `${acronym} ${attributes['OBJNAM'] ?? ''} ${attributes['VALSOU'] ?? ''}`;

describe.each(NAMES)('the demo cell %s', (name) => {
  const { read, cell, ground } = charts.get(name)!;

  test('has no problems and is filled exactly by its ground', () => {
    expect(read.problems).toEqual([]);
    expect(read.checks!.recordCountsMatch).toBe(true);
    expect(read.checks!.skinDeviation).toBeLessThan(1e-9);
  });

  test('has soundings within the limits of their depth areas', () => {
    const soundings = soundingsOf(cell);
    expect(soundings.length).toBeGreaterThan(200);
    const wrong = soundings.filter(({ longitude, latitude, depth }) => {
      const [around, ...more] = groundAt(ground, longitude, latitude);
      if (around?.acronym !== 'DEPARE' || more.length > 0) return true;
      const { DRVAL1, DRVAL2 } = around.attributes;
      return depth < Number(DRVAL1) || depth > Number(DRVAL2);
    });
    expect(wrong).toEqual([]);
  });

  test('has no rows of soundings along meridians or parallels', () => {
    const soundings = soundingsOf(cell);
    for (const axis of ['longitude', 'latitude'] as const) {
      const counts = new Map<number, number>();
      for (const sounding of soundings) {
        const line = Math.round(sounding[axis] * 1e6);
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
      expect(Math.max(...counts.values()), axis).toBeLessThan(0.02 * soundings.length);
    }
  });

  test('has buoys in the water and buildings on land', () => {
    const points = cell.features.filter(({ primitive }) => primitive === 'point');
    const misplaced = (acronyms: RegExp, isRight: (around: Feature) => boolean) =>
      points.filter((feature) => {
        if (!acronyms.test(feature.acronym)) return false;
        const { longitude, latitude } = pointOf(cell, feature)!;
        const around = groundAt(ground, longitude, latitude);
        return around.length !== 1 || !isRight(around[0]!);
      });
    const isWater = ({ acronym, attributes }: Feature) =>
      (acronym === 'DEPARE' && Number(attributes['DRVAL2']) > 0) || acronym === 'DRGARE';
    expect(misplaced(/^BOY/, isWater).map(wordsOf)).toEqual([]);
    const onLand = /^(LNDMRK|SILTNK|BUISGL|CGUSTA|RDOSTA|LNDELV|RSCSTA|DAYMAR|SISTAW)$/;
    expect(misplaced(onLand, ({ acronym }) => acronym === 'LNDARE').map(wordsOf)).toEqual([]);
  });

  test('has no danger deeper than the surrounding water', () => {
    const dangers = cell.features.filter(
      ({ acronym, primitive, attributes }) =>
        /^(WRECKS|UWTROC|OBSTRN)$/.test(acronym) &&
        primitive === 'point' &&
        attributes['VALSOU'] !== undefined,
    );
    expect(dangers.length).toBeGreaterThan(3);
    const wrong = dangers.filter((feature) => {
      const { longitude, latitude } = pointOf(cell, feature)!;
      const [around] = groundAt(ground, longitude, latitude);
      const deepest = Number(around?.attributes['DRVAL2'] ?? Number.NaN);
      return !(Number(feature.attributes['VALSOU']) <= deepest);
    });
    expect(wrong.map(wordsOf)).toEqual([]);
  });
});

test('the demo charts are always written with the same bytes', () => {
  const write = () => Buffer.concat(demoFiles(DEMO_CELLS[0]!).map(({ bytes }) => bytes));
  expect(write().equals(write())).toBe(true);
});
