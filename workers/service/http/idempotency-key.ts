// Retries of writes: the Idempotency-Key header, and how to look up a write with an unknown
// outcome.

import * as z from 'zod';
import { ApiError, badRequest } from '../runtime/errors.ts';
import type { AppContext, Parameter } from './endpoint.ts';

/** Printable ASCII, as header fields carry it safely. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Identifies the request for 24 hours: a repeated request with the same key and body gets the original response and has no further effect',
  schema: z.string().regex(KEY),
};

/** The key of a request, if present. @throws ApiError 400 for an invalid key */
export function idempotencyKeyOf(c: AppContext): string | undefined {
  const given = c.req.header('idempotency-key');
  if (given === undefined || KEY.test(given)) return given;
  throw badRequest(
    'bad_idempotency_key',
    'The header Idempotency-Key must have 1 to 255 printable ASCII characters.',
    [{ path: 'Idempotency-Key', message: 'must have 1 to 255 printable ASCII characters' }],
  );
}

/**
 * Awaits a write and adds `names` to an `outcome_unknown` error, so that the client can look it up.
 * @param names members of the problem document, such as the id of the new object
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

/** Adds members to an error by which the client can look up the outcome of its request. */
export function addOutcomeLookup(
  error: ApiError,
  names: Readonly<Record<string, string | undefined>>,
): ApiError {
  const named = Object.entries(names).filter(([, value]) => value !== undefined);
  return error.with(Object.fromEntries(named));
}
