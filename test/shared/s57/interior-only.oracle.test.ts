// Areas all of whose boundaries are marked as interior (USAG 2): a fault of some producers.

import { expect, test } from 'vitest';
import { areaOf } from '../../../shared/s57/cell/geometry.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { CellBuilder } from '../../../shared/s57/write/cell-builder.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';
import { hasGdal } from '../../support/gdal.ts';
import { boxCourse, filesOf, harbourPlan } from '../../support/harbour-plan.ts';
import { compareWithGdal } from './compare-with-gdal.ts';

const CAUTION = 7;
const RING = 8;
const TWINS = 9;

const square = (from: number, to: number) => boxCourse(from, from, to, to);

/** @param usage USAG of all boundaries: 2 interior, 255 unknown */
function cellOfInteriors(usage = 2) {
  const builder = new CellBuilder(harbourPlan('ZL5INNER'));
  const limit = [[{ course: square(0, 10_000), atLimit: true }]];
  builder.area(1, 'DEPARE', limit, { DRVAL1: 5, DRVAL2: 10 });
  builder.area(2, 'M_COVR', limit, { CATCOV: 1 });
  builder.area(CAUTION, 'CTNARE', [[{ course: square(100, 900) }]], { INFORM: 'Strong currents' });
  builder.area(RING, 'CTNARE', [
    [{ course: square(1000, 2000) }],
    [{ course: square(1200, 1800) }],
  ]);
  builder.area(TWINS, 'CTNARE', [
    [{ course: square(3000, 4000) }],
    [{ course: square(5000, 6000) }],
  ]);
  const contents = builder.contents();
  const features = contents.features.map((feature) =>
    feature.number < CAUTION
      ? feature
      : { ...feature, spatial: feature.spatial.map((pointer) => ({ ...pointer, usage })) },
  );
  return filesOf({ ...contents, features });
}

const { cell, problems } = readCell(cellOfInteriors());
const ringsOf = (number: number, of = cell!) =>
  areaOf(of, of.features.find(({ id }) => id.number === number)!).map((rings) =>
    rings.map(({ exterior }) => exterior),
  );

test('an area with only interior boundaries has the outermost ring as exterior and rings inside it as holes', () => {
  expect(ringsOf(CAUTION)).toEqual([[true]]);
  expect(ringsOf(RING)).toEqual([[true, false]]);
  expect(ringsOf(TWINS)).toEqual([[true], [true]]);
});

test('an area whose boundaries have no usage has the rings inside others as holes', () => {
  const { cell: other } = readCell(cellOfInteriors(255));
  expect([CAUTION, RING, TWINS].map((number) => ringsOf(number, other))).toEqual([
    [[true]],
    [[true, false]],
    [[true], [true]],
  ]);
});

test('an area with only interior boundaries is reported as a warning', () => {
  expect(problems).toMatchObject([{ code: 'interior-only', severity: 'warning' }]);
  expect(problems[0]!.message).toContain('3 areas');
});

test('an area with only interior boundaries is drawn', () => {
  const drawn = portrayCell(cell!).filter(({ layer }) => layer === 'CTNARE');
  expect(drawn.filter(({ geometry }) => geometry.type === 'line').length).toBeGreaterThan(2);
});

test.runIf(hasGdal)('an area with only interior boundaries has the same rings in GDAL', () => {
  expect(compareWithGdal(cell!, cellOfInteriors()).differences).toEqual([]);
});
