// JSON schemas in the words of the reference.

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  describeSchema,
  fieldsOf,
  type Schema,
} from '../../workers/service/http/describe-schema.ts';

const schemaOf = (made: z.ZodType) => z.toJSONSchema(made, { io: 'input' }) as Schema;

describe('a schema in words', () => {
  test.each([
    [z.number().min(0).max(22).default(16), 'number, 0 to 22, 16 by default'],
    [z.number().min(1).nullish(), 'number, at least 1'],
    [z.number().gt(0), 'number, above 0'],
    [z.enum(['day', 'night']), '"day" or "night"'],
    [z.string().max(64), 'string, at most 64 characters'],
    [z.uuid().nullable(), 'string (uuid)'],
    [z.tuple([z.number(), z.number()]), '[number, number]'],
    [z.array(z.boolean()).max(3), 'list of boolean, at most 3 items'],
    [z.union([z.number(), z.string()]), 'number or string'],
    [z.literal('meters'), '"meters"'],
    [z.number().int(), 'integer'],
  ])('%# is %j', (made, words) => {
    expect(describeSchema(schemaOf(made))).toBe(words);
  });

  test('a schema in words names each field of an object once, with what lies in it', () => {
    const made = z.object({
      vessel: z.object({ draft: z.number().describe('Metres') }).nullish(),
      places: z.array(z.union([z.object({ x: z.number() }), z.object({ x: z.string() })])),
    });
    expect(fieldsOf(schemaOf(made))).toEqual([
      { name: 'vessel', words: 'object', isRequired: false, description: undefined },
      { name: 'vessel.draft', words: 'number', isRequired: true, description: 'Metres' },
      { name: 'places', words: 'list of object', isRequired: true, description: undefined },
      { name: 'places[].x', words: 'number', isRequired: true, description: undefined },
    ]);
  });
});
