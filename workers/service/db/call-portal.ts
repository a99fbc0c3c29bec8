// Calls functions of the database for users of the portal. Each function checks the session and the role
// in its transaction.

import { camelCase } from '../runtime/camel-case.ts';
import type { Env } from '../runtime/env.ts';
import { outcomeUnknown, ruleError } from '../runtime/portal-errors.ts';
import { writeDatabase } from './ask-database.ts';
import { refusedRule } from './faults.ts';
import type { WriteTransaction } from './write-transaction.ts';

interface Limits {
  readonly limitMs?: number;
  /** Whether the statement has a result only once, so that a repeated attempt cannot know it. */
  readonly isOnce?: boolean;
}

/**
 * Runs a statement that may refuse. `undefined` becomes NULL.
 * @throws ApiError for a broken rule, 503
 */
export async function callPortal<Row>(
  env: Env,
  statement: string,
  values: readonly unknown[],
  limits: Limits = {},
): Promise<Row[]> {
  const storable = values.map((value) =>
    typeof value === 'string' ? storableText(value) : (value ?? null),
  );
  let attempts = 0;
  const write = async ({ call }: WriteTransaction) => {
    attempts++;
    const rows = await call<Row>(statement, storable);
    if (limits.isOnce === true && attempts > 1 && rows.length === 0) throw outcomeUnknown();
    return rows;
  };
  return writeDatabase(env, write, limits).catch((error: unknown) => {
    const rule = refusedRule(error);
    throw (rule === undefined ? undefined : ruleError(rule)) ?? error;
  });
}

/**
 * PostgreSQL rejects U+0000 in texts, for example in the id of a request, and Neon rejects unpaired surrogates. No id
 * contains U+FFFD.
 */
const storableText = (text: string): string => text.replaceAll(/\0|\p{Cs}/gu, '\uFFFD');

const callOf = (name: string, values: readonly unknown[]): string =>
  `${name}(${values.map((_, i) => `$${i + 1}`).join(', ')})`;

/** Calls a function without a result. @throws ApiError for a broken rule, 503 */
export async function runFunction(
  env: Env,
  name: string,
  values: readonly unknown[],
  limits?: Limits,
): Promise<void> {
  await callPortal(env, `SELECT ${callOf(name, values)}`, values, limits);
}

/**
 * The rows or values that a function returns. Columns have their names in camel case.
 * @param as `to_json` keeps JSON as it was sent
 * @throws ApiError for a broken rule, 503
 */
export async function resultsOf<Row>(
  env: Env,
  name: string,
  values: readonly unknown[],
  as: 'to_json' | 'to_jsonb' = 'to_jsonb',
  limits?: Limits,
): Promise<Row[]> {
  const statement = `SELECT ${as}(one) AS one FROM ${callOf(name, values)} AS one`;
  const rows = await callPortal<{ one: unknown }>(env, statement, values, limits);
  return rows.map(({ one }) => camelCased(one) as Row);
}

/** An object with its names in camel case, or another value. Objects in it are not changed. */
export const camelCased = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [camelCase(name), field]))
    : value;
