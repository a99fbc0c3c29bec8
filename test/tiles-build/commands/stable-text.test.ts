// JSON with stable formatting.

import { expect, it } from 'vitest';
import { stableText } from '../../../tiles-build/commands/stable-text.ts';

it('stableText keeps short values on one line', () => {
  expect(stableText({ a: [1, 2], b: 'x, y: z' })).toBe('{"a": [1, 2], "b": "x, y: z"}');
});

it('stableText breaks long values level by level', () => {
  const long = 'x'.repeat(60);
  expect(stableText({ a: { b: long, c: long }, d: [] })).toBe(
    `{\n  "a": {\n    "b": "${long}",\n    "c": "${long}"\n  },\n  "d": []\n}`,
  );
});

it('stableText prints maps and typed arrays, and omits undefined members', () => {
  const value = { m: new Map([['k', 1]]), t: Float64Array.of(0.5), u: undefined };
  expect(stableText(value)).toBe('{"m": {"k": 1}, "t": [0.5]}');
});

it.each([null, 'text', 3, true, []])('stableText returns JSON for %j', (value) => {
  expect(JSON.parse(stableText(value))).toEqual(value);
});
