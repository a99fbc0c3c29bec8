// Whatever was thrown, as an answer: a refusal as it is, and anything else as our fault, which is logged.

import { ApiError, errorResponse, internalError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import type { AppContext } from './endpoint.ts';

export function errorToResponse(error: unknown, c: AppContext): Response {
  const answer = error instanceof ApiError ? error : internalError();
  if (answer !== error) logFault('handler', error, c.get('requestId'));
  c.set('refusal', answer.code);
  return errorResponse(answer, c.get('requestId'));
}
