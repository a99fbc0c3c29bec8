// Record counts (DSSI) that differ from the records of a file: wrong ones are reported, and a file that was
// truncated between two records is refused.

import { expect, test } from 'vitest';
import { readContents } from '../../support/harbour-plan.ts';
import {
  BUOY,
  CABLE,
  change,
  featureOf,
  NAME,
  readSmall,
  smallCell,
  update,
  vectorOf,
  WATER,
} from './small-cell.ts';

const base = smallCell();
const named = (result: ReturnType<typeof readSmall>, number: number) =>
  result.cell?.features.find((feature) => feature.id.number === number);
const codes = (result: ReturnType<typeof readSmall>) => result.problems.map(({ code }) => code);
const nothing = (number: number) => update(number, {});

test('readCell accepts an update with more records than its counts, and reports it', () => {
  const buoy = { ...featureOf(base, BUOY), id: 900, number: 900 };
  const result = readSmall(
    update(1, { features: [buoy] }, { counts: [0, 0, 0, 0, 0, 0, 0, 0] }),
    nothing(2),
  );
  expect(result.problems).toMatchObject([
    { code: 'record-count-mismatch', severity: 'warning', file: `${NAME}.001` },
  ]);
  expect(result.cell!.header.update).toBe(2);
  expect(named(result, 900)).toBeDefined();
  expect(result.checks!.recordCountsMatch).toBe(false);
});

test('readCell accepts an update with fewer records than its counts if the cell remains complete', () => {
  const result = readSmall(update(1, {}, { counts: [0, 0, 5, 0, 0, 0, 0, 0] }));
  expect(codes(result)).toEqual(['fewer-records']);
  expect(result.cell!.header.update).toBe(1);
});

test('readCell stops at an update truncated between two records, whose features refer to missing records', () => {
  const [cable, gone] = [featureOf(base, CABLE), { ...featureOf(base, BUOY), id: 900 }];
  const pointless = {
    ...gone,
    number: 900,
    spatial: [{ ...cable.spatial[0]!, id: 4711 }],
  };
  const cut = update(1, { features: [pointless] }, { counts: [0, 0, 1, 0, 0, 0, 1, 0] });
  const result = readSmall(cut, nothing(2));
  expect(codes(result)).toEqual(['fewer-records', 'update-dangling']);
  expect(result.cell!.header.update).toBe(0);
  expect(named(result, 900)).toBeUndefined();
});

test('readCell stops at an update truncated between two records, which lacks the feature of its node', () => {
  const vectors = [{ ...vectorOf(base, BUOY), id: 900 }];
  const cut = update(1, { vectors }, { counts: [0, 0, 1, 0, 1, 0, 0, 0] });
  const result = readSmall(cut, nothing(2));
  expect(codes(result)).toEqual(['fewer-records', 'update-truncated']);
  expect(result.cell!.header.update).toBe(0);
});

test('readCell accepts an update with fewer records than its counts that deletes an object and leaves its node', () => {
  const features = [change(featureOf(base, BUOY), { instruction: 2 })];
  const result = readSmall(
    update(1, { features }, { counts: [0, 0, 5, 0, 0, 0, 0, 0] }),
    nothing(2),
  );
  expect(codes(result)).toEqual(['fewer-records']);
  expect(result.cell!.header.update).toBe(2);
});

test('readCell accepts a base with too many or too few records, and reports it', () => {
  for (const [counts, code] of [
    [base.dataSet.counts.map((n) => n + 1), 'fewer-records'],
    [[0, 0, 1, 0, 0, 0, 0, 0], 'record-count-mismatch'],
  ] as const) {
    const result = readContents({ ...base, dataSet: { ...base.dataSet, counts } }, nothing(1));
    expect(result.problems).toMatchObject([{ code, severity: 'warning', file: `${NAME}.000` }]);
    expect(result.cell!.header.update).toBe(1);
  }
});

test.each([
  ['a hole in its water', WATER],
  ['a node without an object', BUOY],
  ['an edge without an object', CABLE],
])('readCell rejects a base truncated between two records, which leaves %s', (_, lost) => {
  const features = base.features.filter(({ number }) => number !== lost);
  expect(codes(readContents({ ...base, features }))).toEqual(['fewer-records', 'base-incomplete']);
});
