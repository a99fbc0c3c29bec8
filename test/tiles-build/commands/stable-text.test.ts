// Text that is the same every time and short to read.

import { describe, expect, it } from 'vitest';
import { stableText } from '../../../tiles-build/commands/stable-text.ts';

describe('stable text', () => {
  it('keeps on one line what fits there', () => {
    expect(stableText({ a: [1, 2], b: 'x, y: z' })).toBe('{"a": [1, 2], "b": "x, y: z"}');
  });

  it('breaks what does not fit, level by level', () => {
    const long = 'x'.repeat(60);
    expect(stableText({ a: { b: long, c: long }, d: [] })).toBe(
      `{\n  "a": {\n    "b": "${long}",\n    "c": "${long}"\n  },\n  "d": []\n}`,
    );
  });

  it('shows maps and typed arrays, and leaves out what is undefined', () => {
    const value = { m: new Map([['k', 1]]), t: Float64Array.of(0.5), u: undefined };
    expect(stableText(value)).toBe('{"m": {"k": 1}, "t": [0.5]}');
  });

  it.each([null, 'text', 3, true, []])('is JSON: %j', (value) => {
    expect(JSON.parse(stableText(value))).toEqual(value);
  });
});
