// What benches say of their goals.

import { expect, test } from 'vitest';
import { goalLines } from './goals.ts';

const speed = { name: 'two workers against one', wanted: 1.8, cause: 'a fifth is serial' };

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
