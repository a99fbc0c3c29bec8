// Messages about invalid input: plain sentences for every schema and value.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { encQuerySchema } from '../../../shared/contract/enc-query.ts';
import { examine } from '../../../shared/contract/examine.ts';
import { faultsOf, sentenceOf } from '../../../shared/contract/faults.ts';
import { routeBodySchema } from '../../../shared/contract/route.ts';
import { savedStyleInputSchema } from '../../../shared/contract/saved-style.ts';
import { styleQuerySchema } from '../../../shared/contract/style-params.ts';
import { tokenClaimsSchema } from '../../../shared/contract/token-claims.ts';
import { newReportSchema, voteSchema } from '../../../shared/contract/user-report.ts';
import { userTokenRequestSchema } from '../../../shared/contract/user-token.ts';

const SCHEMAS: readonly (readonly [string, z.ZodType])[] = [
  ['enc_query', encQuerySchema],
  ['routes', routeBodySchema],
  ['saved styles', savedStyleInputSchema],
  ['base.json', styleQuerySchema],
  ['claims of tokens', tokenClaimsSchema],
  ['reports', newReportSchema],
  ['votes', voteSchema],
  ['user tokens', userTokenRequestSchema],
];

const said = (schema: z.ZodType, value: unknown) => {
  const { error } = examine(schema, value);
  return error === undefined ? [] : faultsOf(error).map(({ message }) => message);
};

describe('faultsOf', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing number', z.number(), undefined, 'is missing; it must be a number'],
    ['a string for a number', z.number(), '5', 'must be a number, not a string'],
    ['null for a list', z.array(z.number()), null, 'must be a list, not null'],
    ['an object for a flag', z.boolean(), {}, 'must be true or false, not an object'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['a number that is too small', z.number().min(-90), -91, 'must be at least -90'],
    ['a number that is too large', z.number().lt(5), 5, 'must be less than 5'],
    ['a short string', z.string().min(3), 'x', 'must have at least 3 characters'],
    ['a long list', z.array(z.number()).max(1), [1, 2], 'must have at most 1 entries'],
    ['an unknown word', z.enum(['day', 'dusk']), 'noon', 'must be one of day, dusk'],
    ['a missing word', z.enum(['day']), undefined, 'is missing; it must be day'],
    [
      'an invalid UUID',
      z.uuid(),
      'x',
      'must be a UUID, such as 7b0c8a52-3a3e-4c2f-9d8e-2f6a1b9c0d4e',
    ],
    [
      'a union',
      z.union([z.enum(['lines', 'full']), z.literal(false)]),
      true,
      'must be one of lines, full, or must be false',
    ],
    [
      'a schema with its own message',
      z.string().regex(/x/, 'must hold an x'),
      'y',
      'must hold an x',
    ],
  ])('states the expected value for %s', (_, schema, value, message) => {
    expect(said(schema, value)).toEqual([message]);
  });

  it.each(SCHEMAS)('returns plain messages for any value of %s', (_, schema) => {
    const keys = Object.keys((schema as unknown as { shape?: object }).shape ?? { acc: 0, sub: 0 });
    const inner = fc.jsonValue({ maxDepth: 3 });
    const body = fc.dictionary(fc.constantFrom(...keys, 'x'), inner, { maxKeys: 6 });
    fc.assert(
      fc.property(fc.oneof(body, inner), (value) => {
        for (const message of said(schema, value)) {
          expect(message).toMatch(/^(must|is|has|may) [a-zA-Z]/);
          expect(message).not.toMatch(
            /Invalid |too (small|big)|expected|received|undefined|NaN|\/\^/,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('sentenceOf', () => {
  it('names the first five fields and counts the others', () => {
    const fault = (path: string) => ({ path, message: 'is missing' });
    expect(sentenceOf([fault('radius')])).toBe('radius is missing.');
    expect(sentenceOf([fault('')])).toBe('The body is missing.');
    expect(sentenceOf('abcdefg'.split('').map(fault))).toBe(
      'a is missing. b is missing. c is missing. d is missing. e is missing. 2 more fields are wrong.',
    );
  });
});
