// Requests to create something that may be sent again: known by the client's key, and told how to ask
// where their outcome is not known.

import * as z from 'zod';
import { ApiError, badRequest } from '../runtime/errors.ts';
import type { AppContext, Parameter } from './endpoint.ts';

/** Printable ASCII, as header fields carry it safely. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names the request for 24 hours: put again with the same body, it is answered as the first time and nothing is made twice',
  schema: z.string().regex(KEY),
};

/** The client's key, if it gave one. @throws ApiError 400 */
export function idempotencyKeyOf(c: AppContext): string | undefined {
  const given = c.req.header('idempotency-key');
  if (given === undefined || KEY.test(given)) return given;
  throw badRequest(
    'bad_idempotency_key',
    'The header Idempotency-Key must have 1 to 255 printable characters of ASCII.',
    [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable characters of ASCII' }],
  );
}

/**
 * Carry out a write; where its outcome is not known, the refusal names by what the client can ask.
 * @param names members of the problem, such as the id of what was to be made
 */
export async function withOutcomeLookup<T>(
  names: Readonly<Record<string, string | undefined>>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'outcome_unknown') throw error;
    throw addOutcomeLookup(error, names);
  }
}

/** A refusal that names by what the client can ask what became of its request. */
export function addOutcomeLookup(
  { status, code, message, headers, details, members }: ApiError,
  names: Readonly<Record<string, string | undefined>>,
): ApiError {
  const named = Object.entries(names).filter(([, value]) => value !== undefined);
  return new ApiError(status, code, message, {
    headers,
    details,
    members: { ...members, ...Object.fromEntries(named) },
  });
}
