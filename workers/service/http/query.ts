// Queries of requests, by the tables of their parameters in `shared/contract`.

import * as z from 'zod';
import {
  type QueryParameters,
  type QueryValues,
  readQuery,
} from '../../../shared/contract/query.ts';
import { invalidInput } from '../runtime/errors.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import { type AppContext, type Parameter, queryParameter } from './endpoint.ts';

/** The parameters of a query in the API reference. */
export const queryParameters = (table: QueryParameters): Parameter[] =>
  Object.entries(table).map(([name, parameter]) => {
    const { description, schema = z.string(), example } = parameter;
    return queryParameter(name, description, schema, {
      required: !('otherwise' in parameter),
      ...(example === undefined ? {} : { example }),
    });
  });

/** The documented response to an invalid query with required parameters. */
export const BAD_QUERY = {
  description: 'A parameter is missing or invalid; `errors` lists it',
  error: 'bad_query',
} as const;

/** The values of a query. @throws ApiError 400 with every invalid parameter */
export function queryOf<Table extends QueryParameters>(
  c: AppContext,
  table: Table,
  code: RefusalCode = 'bad_query',
): QueryValues<Table> {
  const read = readQuery(table, (name) => c.req.queries(name));
  if ('query' in read) return read.query;
  throw invalidInput(code, read.faults);
}
