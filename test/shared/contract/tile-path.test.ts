// z, x and y of a path, one character at a time: what is a tile, and what is wrong with what is none.

import { describe, expect, test } from 'vitest';
import { parseTilePath } from '../../../shared/contract/tile-path.ts';
import { isTileInRange } from '../../../shared/geo/tile.ts';

const parsed = (z: string, x: string, y: string) => parseTilePath(z, x, y, 4, 22);

describe('addresses of tiles', () => {
  test('an address of a tile is its three numbers', () => {
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
  ])('numbers of tiles are decimal digits: %j is none, in any of the three places', (text) => {
    expect([parsed(text, '5', '5'), parsed('5', text, '5'), parsed('5', '5', text)]).toEqual(
      Array(3).fill('syntax'),
    );
  });

  test('ten digits are a number, which no tile has', () => {
    expect(parsed('5', '1234567890', '5')).toBe('range');
  });

  test('zooms of tiles end where they are said to, on both sides', () => {
    expect([parsed('3', '0', '0'), parsed('23', '0', '0')]).toEqual(['zoom', 'zoom']);
  });

  test('columns and rows of tiles end with their zoom', () => {
    expect([parsed('4', '16', '0'), parsed('4', '0', '16')]).toEqual(['range', 'range']);
    expect(parsed('4', '15', '15')).toEqual({ z: 4, x: 15, y: 15 });
  });

  test('a tile has its place in a zoom by each of its numbers alone', () => {
    const isThere = (z: number, x: number, y: number) => isTileInRange({ z, x, y });
    expect([isThere(0, 0, 0), isThere(3, 7, 7), isThere(3, 0, 7)]).toEqual([true, true, true]);
    expect([isThere(-1, 0, 0), isThere(3, -1, 0), isThere(3, 0, -1)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([isThere(3, 8, 0), isThere(3, 0, 8)]).toEqual([false, false]);
  });
});
