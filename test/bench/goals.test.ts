import { expect, test } from 'vitest';
import { goalLines } from './goals.ts';

const speed = { name: 'two workers against one', target: 1.8, cause: 'a fifth is serial' };

test('a goal that is missed is named with its cause, and one that is reached without', () => {
  expect(
    goalLines([
      { ...speed, reached: 1.641 },
      { ...speed, reached: 1.8 },
    ]),
  ).toEqual([
    'MISSED   two workers against one: 1.64 times (goal: 1.8): a fifth is serial',
    'reached  two workers against one: 1.80 times (goal: 1.8)',
  ]);
});

test('a bound is reached below it and missed above it', () => {
  const time = { name: 'a tile', most: 8, unit: 'ms', cause: 'half of it is decoding' };
  expect(
    goalLines([
      { ...time, reached: 8 },
      { ...time, reached: 8.26 },
    ]),
  ).toEqual([
    'reached  a tile: 8.0 ms (goal: 8)',
    'MISSED   a tile: 8.3 ms (goal: 8): half of it is decoding',
  ]);
});
