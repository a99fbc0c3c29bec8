// The query of a list that is paged by the key of its last entry.

import type { AppContext, Parameter } from '../http/endpoint.ts';
import { badRequest } from '../runtime/errors.ts';

const CONTROL_CHARACTER = /\p{Cc}/u;

/** The values of the parameters, as text. @throws ApiError 400 that names the invalid one */
export function valuesOfQuery<Name extends string>(
  c: AppContext,
  parameters: readonly (Parameter & { readonly name: Name })[],
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const { name, schema, description } of parameters) {
    const value = c.req.query(name);
    if (value === undefined) continue;
    // The database cannot store U+0000, and no key of a list contains control characters.
    if (CONTROL_CHARACTER.test(value) || !schema.safeParse(value).success) {
      const fault = { path: name, message: `is invalid: ${description}` };
      throw badRequest('bad_query', `${name} is invalid. ${description}.`, [fault]);
    }
    values[name] = value;
  }
  return values;
}
