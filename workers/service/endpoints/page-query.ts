// Lists that are paged by the key of their last entry: the query, and all pages as a file.

import * as z from 'zod';
import { csvLine } from '../../../shared/contract/csv.ts';
import { wholeNumber } from '../../../shared/contract/query.ts';
import { isPlain } from '../../../shared/contract/units.ts';
import type { AppContext } from '../http/endpoint.ts';

/** Entries of a page without `limit`. */
const DEFAULT_PAGE = 50;

/** A text of 1 to `most` characters. */
export const queryText = (most: number) => z.string().min(1).max(most);

/** An optional parameter whose values a schema checks. */
export const checked = <T>(description: string, schema: z.ZodType<T>) => ({
  description,
  rule: `is invalid: ${description}`,
  schema,
  otherwise: undefined,
  rejectsEmpty: true,
  // The database cannot store U+0000, and no key of a list contains control characters.
  read: (text: string): T | undefined => (isPlain(text) ? schema.safeParse(text).data : undefined),
});

/** The parameter for the size of a page. */
export const limitParameter = (most: number, entries = 'entries') => ({
  ...wholeNumber(1, most),
  description: `Number of ${entries}, 1 to ${most}; ${DEFAULT_PAGE} by default`,
  otherwise: DEFAULT_PAGE,
  rejectsEmpty: true,
});

/** A file of lines. */
export const CSV_ANSWER = {
  description: 'The file',
  contentType: 'text/csv',
  schema: z.string(),
} as const;

export const badQuery = { description: 'A parameter is invalid', error: 'bad_query' } as const;

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
