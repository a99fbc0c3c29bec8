// Two lights with the same feature id in one cell, at one place: both are drawn and found.

import { beforeAll, describe, expect, it } from 'vitest';
import { Bucket } from '../../../shared/query/bucket.ts';
import { viewsOf } from '../../../shared/query/circle.ts';
import { searchBuckets } from '../../../shared/query/search.ts';
import { CellBuilder } from '../../../shared/s57/write/cell-builder.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { boxCourse, harbourPlan, readContents } from '../../support/harbour-plan.ts';
import { WrittenChart } from '../../support/written-chart.ts';

const NAME = 'ZZ5TWICE';
const at = (degrees: number): number => Math.round(degrees * 1e7);
const LIGHTS = [
  { LITCHR: 2, SIGPER: 5, COLOUR: 3, VALNMR: 9 },
  { LITCHR: 1, COLOUR: 4, VALNMR: 4 },
];

function cellWithTwoLights() {
  const builder = new CellBuilder(harbourPlan(NAME));
  const course = boxCourse(at(10), at(50), at(10.1), at(50.1));
  builder.area(1, 'M_COVR', [[{ course }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course }]], { DRVAL1: 5, DRVAL2: 10 });
  LIGHTS.forEach((words, i) => {
    builder.point(3 + i, 'LIGHTS', [at(10.05), at(50.05)], words);
  });
  const contents = builder.contents();
  const features = contents.features.map((feature) =>
    feature.number === 4 ? { ...feature, number: 3 } : feature,
  );
  return readContents({ ...contents, features }).cell!;
}

describe('two lights with one feature id', () => {
  let chart: WrittenChart;

  beforeAll(async () => {
    chart = await WrittenChart.of([cellWithTwoLights()]);
  });

  it('are both in the vector tile', () => {
    const texts = chart
      .features('LIGHTS', 14, [10.05, 50.05])
      .map(({ properties }) => properties['co']);
    expect(texts.toSorted()).toEqual(['G', 'R']);
  });

  it('are both found by a query', () => {
    const [cell] = chart.cells;
    const places = [{ longitude: 10.05, latitude: 50.05, radiusMeters: 100 }].flatMap(viewsOf);
    const buckets = sliceQuery(cell!, chart.ownershipOf(cell!), chart.clipper);
    const found = buckets.map(({ bytes }) => {
      const open = places.map((view) => ({ bucket: new Bucket(bytes), view }));
      const isWanted = (code: number) => code === 75;
      return searchBuckets(open, { radiusMeters: 100, limit: 10, isWanted, days: {} as never })
        .total;
    });
    expect(Math.max(...found)).toBe(2);
  });
});
