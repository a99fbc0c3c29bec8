// Faults that leave a cell usable and yet keep some of its objects off the chart are named, each once.

import { expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { CellBuilder, type Course } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile, type FileContents } from '../../../shared/s57/write/encode-file.ts';
import { harbourPlan } from '../../support/harbour-plan.ts';

const NAME = 'ZL5FAULT';

function problemsOf(
  add: (builder: CellBuilder) => void,
  change: (contents: FileContents) => FileContents = (contents) => contents,
) {
  const builder = new CellBuilder(harbourPlan(NAME));
  const limit: Course = {
    positions: [
      [0, 0],
      [1000, 0],
      [1000, 1000],
      [0, 1000],
      [0, 0],
    ],
  };
  builder.area(1, 'M_COVR', [[{ course: limit }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course: limit }]], { DRVAL1: 5 });
  add(builder);
  const base = { name: `${NAME}.000`, bytes: encodeFile(change(builder.contents())) };
  const { cell, problems } = readCell({ name: NAME, base, updates: [] });
  expect(cell).toBeDefined();
  return problems.map(({ code, severity }) => `${code} ${severity}`);
}

const line = (...positions: [number, number][]): Course => ({ positions });

test('a wall between two nodes at one place is named as lost, one of any length is not', () => {
  const nowhere = line([500, 500], [500, 500], [500, 500]);
  expect(problemsOf((cell) => cell.line(3, 'OBSTRN', [{ course: nowhere }]))).toEqual([
    'no-geometry error',
  ]);
  const short = line([500, 500], [500, 501]);
  expect(problemsOf((cell) => cell.line(3, 'OBSTRN', [{ course: short }]))).toEqual([]);
  // There and back again, and from one place of a pair to the next.
  const both = [{ course: nowhere }, { course: short }, { course: short, reversed: true }];
  expect(problemsOf((cell) => cell.line(3, 'OBSTRN', both))).toEqual([]);
});

test('a sounding that has a place and no depth is named', () => {
  expect(problemsOf((cell) => cell.point(3, 'SOUNDG', [500, 500], { VALSOU: 3 }))).toEqual([
    'no-depth error',
  ]);
  const sounding = { position: [500, 500], depth: 3 } as const;
  expect(problemsOf((cell) => cell.soundings(3, [sounding]))).toEqual([]);
});

test('objects that have the identity of another are named, two at one place are not', () => {
  const add = (cell: CellBuilder) => {
    cell.point(3, 'LIGHTS', [500, 500], { SECTR1: 0, SECTR2: 90 });
    cell.point(4, 'LIGHTS', [500, 500], { SECTR1: 90, SECTR2: 180 });
  };
  expect(problemsOf(add)).toEqual([]);
  const twins = (contents: FileContents): FileContents => ({
    ...contents,
    features: contents.features.map((feature) =>
      feature.number === 4 ? { ...feature, number: 3 } : feature,
    ),
  });
  expect(problemsOf(add, twins)).toEqual(['repeated-identity error']);
});
