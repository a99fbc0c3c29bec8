// Validation of client input against a schema.

import type { ZodSafeParseResult, ZodType, z } from 'zod';
import { plainMessage } from './faults.ts';

/**
 * Like `schema.safeParse`, with readable messages, and never throws. zod compares the `length` of
 * any value that has one, and throws for `{"length":{"toString":1,"valueOf":1}}`. Such a value is
 * rejected as a value of the wrong type.
 */
export function examine<S extends ZodType>(
  schema: S,
  value: unknown,
): ZodSafeParseResult<z.output<S>> {
  try {
    return schema.safeParse(value, { error: plainMessage });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const found = schema.safeParse(withoutLengths(value), { error: plainMessage });
    // A modified copy must not pass as the input.
    if (found.success) throw error;
    return found;
  }
}

/** A copy in which no `length` or `size` is an object; `undefined` if it is nested too deeply. */
function withoutLengths(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, (name, inner: unknown) =>
      (name === 'length' || name === 'size') && typeof inner === 'object' ? null : inner,
    );
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
