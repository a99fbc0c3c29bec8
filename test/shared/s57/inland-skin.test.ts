// Depth areas of inland charts (depare) count as skin like those of sea charts.

import { expect, test } from 'vitest';
import { isExcluded } from '../../../shared/query/excluded-classes.ts';
import { objectClassByAcronym } from '../../../shared/s57/vocabulary/object-classes.ts';
import { CellBuilder } from '../../../shared/s57/write/cell-builder.ts';
import type { FileContents } from '../../../shared/s57/write/encode-file.ts';
import { boxCourse, harbourPlan, readContents } from '../../support/harbour-plan.ts';

/** Index of the number of geographic objects in the counts of a file. */
const NOGR = 2;

const square = (west: number, east: number) => boxCourse(west, 0, east, 1000);

/** A river with the given number of charted halves. */
function river(halves: number): FileContents {
  const builder = new CellBuilder({ ...harbourPlan('1W7RIVER'), usageBand: 7 });
  builder.area(1, 'M_COVR', [[{ course: square(0, 2000) }]], { CATCOV: 1 });
  for (let i = 0; i < halves; i++) {
    builder.area(2 + i, 'depare', [[{ course: square(1000 * i, 1000 * (i + 1)) }]], { DRVAL1: 2 });
  }
  const contents = builder.contents();
  const features = contents.features.map((feature) =>
    feature.number === 1 ? feature : { ...feature, group: 1 },
  );
  return { ...contents, features };
}

/** @param tooMany features that the counts state but the file does not contain */
function read(contents: FileContents, tooMany = 0) {
  const { dataSet, features } = contents;
  const charted = features.length - 1;
  const counts = dataSet.counts.map((count, i) => (i === NOGR ? charted + tooMany : count));
  const result = readContents({ ...contents, dataSet: { ...dataSet, counts } });
  return { ...result, codes: result.problems.map(({ code }) => code) };
}

test('readCell accepts the skin of an inland chart whose depth areas fill its coverage', () => {
  expect(read(river(2)).codes).toEqual([]);
  expect(read(river(1)).codes).toEqual(['skin-mismatch']);
});

test('readCell uses an inland chart with wrong record counts if its depth areas fill its coverage', () => {
  const whole = read(river(2), 1);
  expect(whole.codes).toEqual(['fewer-records']);
  expect(whole.cell).toBeDefined();
  expect(read(river(1), 1).cell).toBeUndefined();
});

test('queries exclude the navigational system of marks of sea and inland charts', () => {
  for (const acronym of ['M_NSYS', 'm_nsys']) {
    expect(isExcluded(objectClassByAcronym(acronym)!.code, 16), acronym).toBe(true);
  }
});
