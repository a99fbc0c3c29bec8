// Messages for invalid input. Each names the field, the expected value and the kind of the received
// value. They never contain the received value.

import type * as z from 'zod';
import type { Fault } from './plain-json.ts';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Names of the kinds of JSON values. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is not finite';
  return KINDS[typeof value] ?? 'a value of another kind';
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID, such as 7b0c8a52-3a3e-4c2f-9d8e-2f6a1b9c0d4e',
  url: 'must be an address, such as https://example.org/',
};

const MAX_LISTED_VALUES = 30;

/**
 * Returns the message for an issue if the schema has no custom message, such as "must be a number, not a
 * string". Callers put the name of the field in front of it. Pass this function to `safeParse` as `error`.
 */
export function plainMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = KINDS[issue.expected] ?? 'another kind of value';
      if (issue.input === undefined) return `is missing; it must be ${wanted}`;
      const found = kindOfValue(issue.input);
      return found === wanted || (wanted === 'a whole number' && found === 'a number')
        ? `must be ${wanted}`
        : `must be ${wanted}, not ${found}`;
    }
    case 'too_small':
      return `must ${limit(issue.origin, 'at least', issue.minimum, issue.inclusive)}`;
    case 'too_big':
      return `must ${limit(issue.origin, 'at most', issue.maximum, issue.inclusive)}`;
    case 'invalid_value': {
      const values = issue.values.slice(0, MAX_LISTED_VALUES).map(String).join(', ');
      const list = issue.values.length === 1 ? values : `one of ${values}`;
      return issue.input === undefined ? `is missing; it must be ${list}` : `must be ${list}`;
    }
    case 'invalid_union':
      return unionMessage(issue.errors, issue.input);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has an invalid format';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'has unknown fields';
    default:
      return 'has a value that is not accepted';
  }
}

function limit(
  origin: string,
  bound: 'at least' | 'at most',
  value: number | bigint,
  inclusive: boolean | undefined,
): string {
  const beyond = bound === 'at least' ? 'more than' : 'less than';
  const amount = `${inclusive === false ? beyond : bound} ${value}`;
  if (origin === 'string') return `have ${amount} characters`;
  if (origin === 'array' || origin === 'set') return `have ${amount} entries`;
  return `be ${amount}`;
}

/** Joins the messages of the members of a union, without duplicates: "must be true or false, or must be one of a, b". */
function unionMessage(
  errors: readonly (readonly { readonly message: string }[])[],
  input: unknown,
): string {
  const messages = new Set(
    errors.flatMap((issues) => issues.slice(0, 1).map((one) => one.message)),
  );
  if (input === undefined) return 'is missing';
  return messages.size === 0 ? 'has a value that is not accepted' : [...messages].join(', or ');
}

/**
 * Converts the issues of a schema to faults.
 * @param maxPath maximum characters of a path, which may contain property names from the request
 */
export function faultsOf(error: z.core.$ZodError, maxPath = 200): Fault[] {
  return error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.').slice(0, maxPath),
    message,
  }));
}

const MAX_LISTED_FAULTS = 5;

/** Returns faults as sentences: "radius must be a number, not a string. zoom is missing; …". */
export function sentenceOf(faults: readonly Fault[]): string {
  const sentences = [
    ...new Set(faults.map(({ path, message }) => `${path || 'The body'} ${message}.`)),
  ];
  const more = sentences.length - MAX_LISTED_FAULTS;
  const rest = more > 0 ? ` ${more} more ${more === 1 ? 'field is' : 'fields are'} wrong.` : '';
  return sentences.slice(0, MAX_LISTED_FAULTS).join(' ') + rest;
}
