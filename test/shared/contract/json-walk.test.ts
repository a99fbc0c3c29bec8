// The limits on the nesting depth and the number of values of a JSON text, checked before it is parsed.

import { describe, expect, test } from 'vitest';
import {
  exceededJsonLimit,
  JsonWalk,
  MAX_JSON_NESTING,
  MAX_JSON_VALUES,
} from '../../../shared/contract/json-walk.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + 0 + '}]'.repeat(depth / 2);

describe('excessOfJson and JsonWalk', () => {
  test.each([
    ['lists nested one level too deep', `[${nested(MAX_JSON_NESTING)}]`, 'depth'],
    ['a million open brackets', '['.repeat(1_000_000), 'depth'],
    ['brackets after an escaped backslash', `["\\\\",${'['.repeat(1000)}]`, 'depth'],
    ['many small lists', `[${'[],'.repeat(MAX_JSON_VALUES)}[]]`, 'values'],
    ['many fields', `{${'"a":1,'.repeat(MAX_JSON_VALUES)}"a":1}`, 'values'],
  ] as const)('rejects %s', (_, text, limit) => {
    expect(exceededJsonLimit(bytesOf(text))).toBe(limit);
  });

  test.each([
    ['lists of the maximum depth', nested(MAX_JSON_NESTING)],
    ['brackets in a string', `["${'['.repeat(1000)}"]`],
    ['brackets after an escaped quote', `["\\"${'['.repeat(1000)}"]`],
    ['commas in a string', `["${','.repeat(2 * MAX_JSON_VALUES)}"]`],
    ['64 KiB of numbers', `[${'1,'.repeat(32_766)}1]`],
    ['64 KiB of empty lists', `[${'[],'.repeat(21_844)}[]]`],
    ['an empty text', ''],
    ['an unterminated string', '"\\'],
  ] as const)('accepts %s', (_, text) => {
    expect(exceededJsonLimit(bytesOf(text))).toBeUndefined();
  });

  test('finds the same structural bytes wherever the text is split', () => {
    const bytes = bytesOf('{"a\\\\\\"[":[1,"\\\\",{"b":"\\\\\\\\\\""}],"ü":"]"}');
    const all = (cuts: readonly number[]) => {
      const walk = new JsonWalk();
      const found: number[] = [];
      let from = 0;
      for (const to of [...cuts, bytes.length]) {
        const piece = bytes.subarray(from, to);
        for (let at = walk.next(piece, 0); at < piece.length; at = walk.next(piece, at + 1)) {
          found.push(from + at);
        }
        from = to;
      }
      return found;
    };
    const whole = all([]);
    expect(whole.length).toBeGreaterThan(15);
    for (let cut = 0; cut <= bytes.length; cut++) expect(all([cut])).toEqual(whole);
    expect(all([...bytes.keys()])).toEqual(whole);
  });
});
