// What a client sent, checked against a schema.

import type { ZodSafeParseResult, ZodType, z } from 'zod';
import { plainMessage } from './faults.ts';

/**
 * As `schema.safeParse`, with plain messages, and for any JSON whatever. zod compares the `length` of all that has one,
 * objects too, and throws where that is nothing to compare: `{"length":{"toString":1,"valueOf":1}}`.
 * Such a value is of a wrong type where a length is limited, and is refused as that.
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
    // Nothing that was changed may pass for what was sent.
    if (found.success) throw error;
    return found;
  }
}

/** A copy in which no length or size is an object; nothing at all where it is nested too deeply. */
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
