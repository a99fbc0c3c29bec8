// Text that is the same every time and short to read.

import { expect, it } from 'vitest';
import { stableText } from '../../../tiles-build/commands/stable-text.ts';

it('stable text keeps on one line what fits there', () => {
  expect(stableText({ a: [1, 2], b: 'x, y: z' })).toBe('{"a": [1, 2], "b": "x, y: z"}');
});

it('stable text breaks what does not fit, level by level', () => {
  const long = 'x'.repeat(60);
  expect(stableText({ a: { b: long, c: long }, d: [] })).toBe(
    `{\n  "a": {\n    "b": "${long}",\n    "c": "${long}"\n  },\n  "d": []\n}`,
  );
});

it('stable text shows maps and typed arrays, and leaves out what is undefined', () => {
  const value = { m: new Map([['k', 1]]), t: Float64Array.of(0.5), u: undefined };
  expect(stableText(value)).toBe('{"m": {"k": 1}, "t": [0.5]}');
});

it.each([null, 'text', 3, true, []])('stable text is JSON: %j', (value) => {
  expect(JSON.parse(stableText(value))).toEqual(value);
});
