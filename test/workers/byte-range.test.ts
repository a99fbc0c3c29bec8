// Ranges and conditions of requests, row by row of RFC 9110.

import { expect, test } from 'vitest';
import { allowsMatch, isRangeFor, rangeOf } from '../../workers/service/http/byte-range.ts';

test.each<[string | undefined, ReturnType<typeof rangeOf>]>([
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=10-19', { start: 10, end: 20 }],
  ['bytes=90-', { start: 90, end: 100 }],
  ['bytes=90-1000', { start: 90, end: 100 }],
  ['bytes=-10', { start: 90, end: 100 }],
  ['bytes=-1000', { start: 0, end: 100 }],
  ['Bytes=5-6', { start: 5, end: 7 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes= 0-1', undefined],
  ['items=0-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('the range %s of a hundred bytes', (header, range) => {
  expect(rangeOf(header, 100)).toEqual(range);
});

test('If-Match and If-Range compare strongly, and If-Match knows lists and *', () => {
  expect(allowsMatch(undefined, '"a"')).toBe(true);
  expect(allowsMatch('*', '"a"')).toBe(true);
  expect(allowsMatch('"b", "a"', '"a"')).toBe(true);
  expect(allowsMatch('"b"', '"a"')).toBe(false);
  expect(allowsMatch('W/"a"', '"a"')).toBe(false);
  expect(isRangeFor(undefined, '"a"')).toBe(true);
  expect(isRangeFor('"a"', '"a"')).toBe(true);
  expect(isRangeFor('W/"a"', '"a"')).toBe(false);
  expect(isRangeFor('Sun, 22 Nov 2026 18:00:00 GMT', '"a"')).toBe(false);
});
