// Cells whose usage band or compilation scale is missing or invalid.

import { expect, test } from 'vitest';
import { readContents } from '../../support/harbour-plan.ts';
import { NAME, smallCell } from './small-cell.ts';

function read(usageBand: number, scaleDenominator: number, cellName = NAME) {
  const contents = smallCell();
  const name = `${cellName}.000`;
  const { cell, problems } = readContents({
    ...contents,
    dataSet: { ...contents.dataSet, name, usageBand },
    parameters: { ...contents.parameters!, scaleDenominator },
  });
  return {
    band: cell?.header.usageBand,
    scale: cell?.header.scaleDenominator,
    problems: problems.map(({ code, severity }) => `${severity} ${code}`),
  };
}

test.each([2, 3, 4, 5, 6, 7, 8, 9])('readCell keeps usage band %d at any scale', (band) => {
  expect(read(band, 40_000)).toEqual({ band, scale: 40_000, problems: [] });
});

test.each([
  [1, 12_000],
  [2, 16_000_000],
  [5, 1_200_000],
  [6, 3_500_000],
  [9, 100_000],
  [4, 2_000],
])('readCell warns if band %d and scale 1:%d contradict each other', (band, scale) => {
  expect(read(band, scale)).toEqual({ band, scale, problems: ['warning scale-outside-band'] });
});

test.each([
  // Of US1AK90M, of US5CA16M, and of a chart of the world.
  [1, 1_587_870],
  [5, 40_000],
  [1, 100_000_000],
])('readCell does not warn for band %d and scale 1:%d', (band, scale) => {
  expect(read(band, scale).problems).toEqual([]);
});

test.each([
  [0, 2_000, 6],
  [255, 50_000, 4],
  [0, 200_000, 3],
  [0, 700_000, 2],
  [0, 10_000_000, 1],
])('readCell replaces the invalid INTU %d of a cell of 1:%d by band %d', (intu, scale, band) => {
  const problems = ['warning unknown-usage-band'];
  expect(read(intu, scale)).toEqual({ band, scale, problems });
});

test('readCell uses a scale of the band if there is no compilation scale', () => {
  expect(read(3, 0)).toEqual({ band: 3, scale: 180_000, problems: ['warning unknown-scale'] });
  expect(read(9, 0)).toEqual({ band: 9, scale: 3_000, problems: ['warning unknown-scale'] });
});

test('readCell rejects a cell with neither scale nor band', () => {
  const problems = ['error no-scale'];
  expect(read(0, 0)).toEqual({ band: undefined, scale: undefined, problems });
});

test.each([
  [10, 'ZL5SMALL'],
  [207, 'ZL5SMALL'],
  [7, 'ZLASMALL'],
  [8, 'ZLLSMALL'],
])('readCell rejects an inland overlay with INTU %d and the name %s', (intu, name) => {
  const problems = ['error overlay-cell'];
  expect(read(intu, 5_000, name)).toEqual({ band: undefined, scale: undefined, problems });
});

test('readCell keeps a maritime cell whose name is like that of an overlay', () => {
  expect(read(5, 12_000, 'ZLASMALL')).toEqual({ band: 5, scale: 12_000, problems: [] });
  expect(read(0, 2_000, 'BALTIC01').band).toBe(6);
});
