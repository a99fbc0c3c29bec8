// A body with a long list, parsed while it arrives: accepted exactly if JSON.parse accepts it, with the
// same values, however it is split.

import { describe, expect, test } from 'vitest';
import { type ListRefusal, LongListReader } from '../../../shared/contract/long-list.ts';
import { parseJson } from '../../../workers/service/http/read-json.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const ROUNDS = isLong ? 20_000 : 3000;
const LIMITS = { maxElements: 1000, maxElementBytes: 2000, maxRestBytes: 4000 };

interface Read {
  readonly refusal?: ListRefusal;
  readonly rest?: unknown;
  readonly list: readonly unknown[];
  /** Maximum number of elements passed on together. */
  readonly most: number;
  /** Bytes received until it was rejected, or all bytes. */
  readonly came: number;
}

function read(bytes: Uint8Array, pieceBytes: () => number, limits = LIMITS): Read {
  let list: unknown[] = [];
  let most = 0;
  const taker = {
    begin: () => {
      list = [];
    },
    take: (elements: readonly unknown[]) => {
      list.push(...elements);
      most = Math.max(most, elements.length);
    },
  };
  const reader = new LongListReader('soundings', limits, taker, parseJson);
  for (let at = 0; at < bytes.length; ) {
    const end = at + pieceBytes();
    const refusal = reader.push(bytes.subarray(at, end));
    at = end;
    if (refusal !== undefined) return { refusal, list, most, came: at };
  }
  const ended = reader.end();
  const { refusal } = 'refusal' in ended ? ended : { refusal: undefined };
  const rest = 'rest' in ended ? ended.rest : undefined;
  return { ...(refusal === undefined ? { rest } : { refusal }), list, most, came: bytes.length };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The whole value, or `undefined` if it was rejected. */
function wholeOf({ refusal, rest, list }: Read): unknown {
  if (refusal !== undefined) return undefined;
  const holder = rest as { soundings?: unknown } | null;
  if (Array.isArray(holder?.soundings)) return { ...holder, soundings: list };
  return rest;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

const TEXTS = [
  '{"soundings":[]}',
  '{"soundings":[ \n\t]}',
  '{"soundings":[1]}',
  '{"soundings":[1,]}',
  '{"soundings":[,]}',
  '{"soundings":[,1]}',
  '{"soundings":[1,,2]}',
  '{"soundings":[1 2]}',
  '{"soundings":[1}',
  '{"soundings":[1]',
  '{"soundings":[1',
  '{"soundings":[{]}',
  '{"soundings":[{"a":[1,{"b":"]}"}]},"\\"]",[[],[]]]}',
  '{"soundings":["\\\\"],"x":"\\\\"}',
  '{"a":{"soundings":[1,2]},"b":[{"soundings":[3]}]}',
  '{"a":["soundings",":[1]"],"soundings":[4]}',
  '{"sound\\u0069ngs":[1,2]}',
  '{"\\u0073\\u006f\\u0075\\u006e\\u0064\\u0069\\u006e\\u0067\\u0073":[1]}',
  '{"soundings":[1],"soundings":[2,3]}',
  '{"soundings":[1],"soundings":5}',
  '{"soundings":5,"soundings":[1]}',
  '{"soundings":{"soundings":[1]}}',
  '{"soundings":{} [1]}',
  '{"soundings" : \n [ 1 , 2 ] , "x" : [ ] }',
  '{"soundings":"[1,2]"}',
  '{"x":"soundings","y":[1]}',
  '{"x":"soundings":[1]}',
  '{"soundings":[1]}}',
  '}{"soundings":[1]}',
  '["soundings",[1]]',
  '["soundings":[1]]',
  '[{"soundings":[1]}]',
  '\ufeff{"soundings":[1]}',
  '{"soundings":[\ufeff1]}',
  '{"soundings":[1,\ufeff2]}',
  '{"soundings":["ü","😀"],"ü":1}',
  '"soundings"',
  'null',
  '',
  ' ',
  '{"__proto__":{"a":1},"soundings":[{"__proto__":1}]}',
];

describe('LongListReader', () => {
  test.each(TEXTS)('agrees with JSON.parse on %s', (text) => {
    const bytes = bytesOf(text);
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(wholeOf(read(bytes, () => size))).toEqual(parsed(bytes));
    }
  });

  test('agrees with JSON.parse on random texts with changed, missing and repeated bytes', () => {
    const random = seededRandom(20_261_122);
    const whole = (most: number) => Math.floor(random() * (most + 1));
    let sound = 0;
    for (let round = 0; round < ROUNDS; round++) {
      let bytes = [...bytesOf(TEXTS[whole(TEXTS.length - 1)]!)];
      if (random() < 0.3) bytes = [...bytesOf(`{"z":${String.fromCharCode(...bytes)}}`)];
      for (let harm = whole(2); harm > 0; harm--) {
        const letter = bytesOf('[]{},:"\\ 1aé\u0000')[whole(13)] ?? 0x80;
        bytes.splice(whole(bytes.length), whole(2), ...(random() < 0.7 ? [letter] : []));
      }
      const text = Uint8Array.from(bytes);
      const wanted = parsed(text);
      const found = wholeOf(read(text, () => 1 + whole(6)));
      expect(found, `round ${round}: ${new TextDecoder().decode(text)}`).toEqual(wanted);
      if (wanted !== undefined) sound++;
    }
    expect(sound).toBeGreaterThan(ROUNDS / 4);
  });

  test('rejects one element too many when it arrives', () => {
    const text = `{"soundings":[${'{},'.repeat(1_000_000)}{}]}`;
    const found = read(bytesOf(text), () => 4096);
    expect(found.refusal).toBe('too-many');
    expect(found.came).toBeLessThan(3 * LIMITS.maxElements + 4096);
    const exact = read(bytesOf(`{"soundings":[${'{},'.repeat(999)}{}]}`), () => 100);
    expect([exact.refusal, exact.list.length]).toEqual([undefined, 1000]);
  });

  test('parses at most 64 KiB and one element at once', () => {
    const wide = { ...LIMITS, maxElements: 1_000_000 };
    const found = read(bytesOf(`{"soundings":[${'0,'.repeat(500_000)}0]}`), () => 100_000, wide);
    expect(found.list.length).toBe(500_001);
    expect(found.most).toBeLessThan(33_000);
  });

  test.each([
    ['a long element', `{"soundings":[1,"${'x'.repeat(2100)}"]}`, 'large-element'],
    ['an element of many small ones', `{"soundings":[[${'1,'.repeat(1100)}1]]}`, 'large-element'],
    ['space between elements', `{"soundings":[1,${' '.repeat(2100)}2]}`, 'large-element'],
    [
      'a long string outside of the list',
      `{"soundings":[1],"x":"${'x'.repeat(4100)}"}`,
      'large-rest',
    ],
    ['another long list', `{"x":[${'1,'.repeat(2100)}1],"soundings":[1]}`, 'large-rest'],
    ['lists within lists', `{"soundings":[${'['.repeat(200)}`, 'too-deep'],
    ['objects within objects', `${'{"a":'.repeat(200)}`, 'too-deep'],
  ] as const)('rejects %s with its reason', (_, text, refusal) => {
    for (const size of [1, 64, 100_000]) {
      expect(read(bytesOf(text), () => size).refusal).toBe(refusal);
    }
  });

  test('takes linear time for many colons after a long string', () => {
    const limits = { ...LIMITS, maxRestBytes: 2_000_000 };
    const found = read(
      bytesOf(`{"${'a'.repeat(900_000)}"${':'.repeat(900_000)}`),
      () => 65_536,
      limits,
    );
    expect(found.refusal).toBe('not-json');
  });
});
