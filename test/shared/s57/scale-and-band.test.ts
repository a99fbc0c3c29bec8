// Cells whose usage band or compilation scale is missing or none that there is.

import { expect, test } from 'vitest';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { NAME, smallCell } from './small-cell.ts';

function read(usageBand: number, scaleDenominator: number) {
  const contents = smallCell();
  const bytes = encodeFile({
    ...contents,
    dataSet: { ...contents.dataSet, usageBand },
    parameters: { ...contents.parameters!, scaleDenominator },
  });
  const { cell, problems } = readCell({
    name: NAME,
    base: { name: `${NAME}.000`, bytes },
    updates: [],
  });
  return {
    band: cell?.header.usageBand,
    scale: cell?.header.scaleDenominator,
    problems: problems.map(({ code, severity }) => `${severity} ${code}`),
  };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'usage band %d stays as it is, whatever the scale',
  (band) => {
    expect(read(band, 40_000)).toEqual({ band, scale: 40_000, problems: [] });
  },
);

test.each([
  [0, 2_000, 6],
  [10, 10_000, 5],
  [255, 50_000, 4],
  [0, 200_000, 3],
  [0, 700_000, 2],
  [0, 10_000_000, 1],
])(
  'INTU %d at 1:%d, which is no usage band, is drawn as charts of that scale are',
  (intu, scale, band) => {
    const problems = ['warning unknown-usage-band'];
    expect(read(intu, scale)).toEqual({ band, scale, problems });
  },
);

test('a cell without a compilation scale gets a scale of its band, and is not taken for the finest', () => {
  expect(read(3, 0)).toEqual({ band: 3, scale: 180_000, problems: ['warning unknown-scale'] });
  expect(read(9, 0)).toEqual({ band: 9, scale: 3_000, problems: ['warning unknown-scale'] });
});

test('a cell that says neither its scale nor its band is refused', () => {
  const problems = ['error no-scale'];
  expect(read(0, 0)).toEqual({ band: undefined, scale: undefined, problems });
});
