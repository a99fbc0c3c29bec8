// Fields of CSV files that a spreadsheet would run as formulas.

import { expect, test } from 'vitest';
import { csvJson, csvLine } from '../../../shared/contract/csv.ts';

test.each([
  ['a;=1', `"a;'=1"`],
  ['＝1', "'＝1"],
  ['-5', "'-5"],
  [-5, '-5'],
  ['a\n@b', `"a\n'@b"`],
  [';;+1', `";;'+1"`],
  ['\t=1', "'\t'=1"],
  ['a;"=1', `"a;'""=1"`],
  ['a;b', '"a;b"'],
  ['a-5 = b', 'a-5 = b'],
  ['', ''],
  [null, ''],
])('the value %j is written as %s', (value, field) => {
  expect(csvLine([value])).toBe(`${field}\r\n`);
});

test('JSON has no semicolon and keeps its values', () => {
  const value = { a: 'x;=1', 'b;-1': ['";@'] };
  const text = csvJson(value);
  expect(text).not.toContain(';');
  expect(JSON.parse(text)).toEqual(value);
  expect(csvLine([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
});
