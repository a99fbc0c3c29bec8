// Integers that survive parsing and printing, compared with exact arithmetic on big integers.

import { expect, test } from 'vitest';
import { preservesNumbersOf } from '../../../shared/contract/exact-numbers.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const keeps = (literal: string) =>
  preservesNumbersOf('properties', `{"properties":{"a":[${literal}]}}`);

test.each([
  '0',
  '-0',
  '0.0',
  '0e5',
  '1',
  '-1.50',
  '1e2',
  '100000000000000000000',
  '1e300',
  '9007199254740992',
  '0.1',
  '0.30000000000000004',
  (47.6062095).toFixed(20),
  '5e-324',
  '1.7976931348623157e308',
  '0.1000000000000000055511151231257827021181583404541015625',
  '123456789012345680000',
  '1e400',
  '3.14159265358979323846',
  '-123456789.123456789',
  '0.1000000000000000055511151231257827021181583404541015626',
  '9007199254740993.5',
  '1.23456789012345678901e25',
  '1e-400',
  '3e-324',
])('preservesNumbersOf accepts %s', (literal) => {
  expect(keeps(literal)).toBe(true);
});

test.each([
  '12345678901234567890',
  '9007199254740993',
  '-9007199254740993',
  '1234567890123456768',
  `1${'0'.repeat(150)}1`,
])('preservesNumbersOf rejects %s, which changes when parsed', (literal) => {
  expect(keeps(literal)).toBe(false);
});

test('preservesNumbersOf accepts the integers that are printed as they were', () => {
  const random = seededRandom(20_261_123);
  let kept = 0;
  const wrong: string[] = [];
  for (let round = 0; round < 20_000; round++) {
    // Longer ones are printed with an exponent.
    const length = 1 + Math.floor(random() * 21);
    const digit = (_: unknown, at: number) =>
      Math.floor(at === 0 ? 1 + random() * 9 : random() * 10);
    const literal = Array.from({ length }, digit).join('');
    const isSame = JSON.stringify(Number(literal)) === literal;
    if (keeps(literal) !== isSame) wrong.push(literal);
    if (isSame) kept++;
  }
  expect(wrong).toEqual([]);
  expect(kept).toBeGreaterThan(5000);
});

test('preservesNumbersOf checks only the named member, and no digits in strings', () => {
  const long = '12345678901234567890';
  expect(
    preservesNumbersOf('properties', `{"position":{"latitude":1.${long}},"properties":{"a":1}}`),
  ).toBe(true);
  expect(preservesNumbersOf('properties', `{"properties":{"a":"${long}","b\\"${long}":1}}`)).toBe(
    true,
  );
  expect(preservesNumbersOf('properties', `{"id":${long}}`)).toBe(true);
  expect(preservesNumbersOf('properties', `{"properties":{"a":{"b":[0,${long}]}}}`)).toBe(false);
  // Of two members with one name the last one counts, as in JSON.parse.
  expect(preservesNumbersOf('properties', `{"properties":${long},"properties":{}}`)).toBe(true);
  expect(preservesNumbersOf('properties', `{"properties":"${'\\\\'.repeat(30_000)}"}`)).toBe(true);
});
