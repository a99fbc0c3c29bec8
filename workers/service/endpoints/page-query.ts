// Lists that are paged by the key of their last entry: the query, and all pages as a file.

import * as z from 'zod';
import { csvLine } from '../../../shared/contract/csv.ts';
import { isPlain } from '../../../shared/contract/units.ts';
import { type AppContext, type Parameter, queryParameter } from '../http/endpoint.ts';
import { badRequest } from '../runtime/errors.ts';

/** Entries of a page without `limit`. */
export const DEFAULT_PAGE = 50;

/** A text of 1 to `most` characters. `valuesOfQuery` rejects control characters. */
export const queryText = (most: number) => z.string().min(1).max(most);

/** The parameter for the size of a page. */
export const limitParameter = (most: number, entries = 'entries') =>
  queryParameter(
    'limit',
    `Number of ${entries}, 1 to ${most}; ${DEFAULT_PAGE} by default`,
    z.coerce.number().int().min(1).max(most),
  );

/** A file of lines. */
export const CSV_ANSWER = {
  description: 'The file',
  contentType: 'text/csv',
  schema: z.string(),
} as const;

export const badQuery = { description: 'A parameter is invalid', error: 'bad_query' } as const;

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
    if (!isPlain(value) || !schema.safeParse(value).success) {
      const fault = { path: name, message: `is invalid: ${description}` };
      throw badRequest('bad_query', `${name} is invalid. ${description}.`, [fault]);
    }
    values[name] = value;
  }
  return values;
}

interface CsvPage<Key> {
  readonly lines: readonly string[];
  /** The key of the next page, if there is one. */
  readonly next: Key | undefined;
}

/** Sends all pages as a file. The first is read before the response begins, so its errors have a status. */
export async function sendCsv<Key>(
  c: AppContext,
  name: string,
  head: readonly string[],
  read: (from?: Key) => Promise<CsvPage<Key>>,
): Promise<Response> {
  let page = await read();
  let text = csvLine(head);
  const encoder = new TextEncoder();
  const lines = new ReadableStream({
    async pull(controller) {
      controller.enqueue(encoder.encode(text + page.lines.join('')));
      text = '';
      if (page.next === undefined) return controller.close();
      page = await read(page.next);
    },
  });
  return c.body(lines, 200, {
    'cache-control': 'no-store',
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  });
}
