// The table of the README has a row for each test on the data of S-64, and each code has a text.

import { expect, it } from 'vitest';
import { SSE_TEXTS, sse } from '../../../tiles-build/s63/sse.ts';
import { S64_INPUTS, s64Results } from './s64-inputs.ts';

it('states a result for each test', () => {
  expect(s64Results().map(({ test }) => test)).toEqual(Object.keys(S64_INPUTS));
});

it('has a text of its own for each code from SSE 01 to SSE 27', () => {
  const numbers = Object.keys(SSE_TEXTS).map(Number) as (keyof typeof SSE_TEXTS)[];
  expect(numbers).toEqual(Array.from({ length: 27 }, (_, i) => i + 1));
  expect(new Set(numbers.map((number) => sse(number).message)).size).toBe(27);
  expect(sse(9, { found: 'x' }).message).toBe(`SSE 09: ${SSE_TEXTS[9]}. x`);
});
