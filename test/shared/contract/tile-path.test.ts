// z, x and y of a tile's path, and what is reported for an invalid one.

import { describe, expect, test } from 'vitest';
import { parseTilePath } from '../../../shared/contract/tile-path.ts';
import { isTileInRange } from '../../../shared/geo/tile.ts';

const parsed = (z: string, x: string, y: string) => parseTilePath(z, x, y, 4, 22);

describe('parseTilePath', () => {
  test('returns the three numbers', () => {
    expect(parsed('4', '0', '15')).toEqual({ z: 4, x: 0, y: 15 });
    expect(parsed('22', '4194303', '4194303')).toEqual({ z: 22, x: 4194303, y: 4194303 });
    expect(parseTilePath('0', '0', '0', 0, 0)).toEqual({ z: 0, x: 0, y: 0 });
  });

  test.each([
    '',
    ' 5',
    '5 ',
    '+5',
    '-5',
    '05',
    '5.0',
    '5e0',
    '0x5',
    '5a',
    'a5',
    '５',
    '12345678901',
  ])('accepts only decimal digits, not %j in any of the three places', (text) => {
    expect([parsed(text, '5', '5'), parsed('5', text, '5'), parsed('5', '5', text)]).toEqual(
      Array(3).fill('syntax'),
    );
  });

  test('reports a number of ten digits as out of range', () => {
    expect(parsed('5', '1234567890', '5')).toBe('range');
  });

  test('rejects zooms outside of the given limits', () => {
    expect([parsed('3', '0', '0'), parsed('23', '0', '0')]).toEqual(['zoom', 'zoom']);
  });

  test('rejects columns and rows outside of the zoom', () => {
    expect([parsed('4', '16', '0'), parsed('4', '0', '16')]).toEqual(['range', 'range']);
    expect(parsed('4', '15', '15')).toEqual({ z: 4, x: 15, y: 15 });
  });
});

test.each([
  [0, 0, 0, true],
  [3, 7, 7, true],
  [3, 0, 7, true],
  [-1, 0, 0, false],
  [3, -1, 0, false],
  [3, 0, -1, false],
  [3, 8, 0, false],
  [3, 0, 8, false],
])('isTileInRange of %i/%i/%i is %s', (z, x, y, isThere) => {
  expect(isTileInRange({ z, x, y })).toBe(isThere);
});
