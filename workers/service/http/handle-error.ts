// Converts exceptions to responses. Anything that is not an ApiError is logged and becomes 500.

import { ApiError, errorResponse } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import type { AppContext } from './endpoint.ts';

export function errorToResponse(error: unknown, c: AppContext): Response {
  const answer = error instanceof ApiError ? error : new ApiError('internal_error');
  if (answer !== error) logFault('handler', error, c.get('requestId'));
  c.set('refusal', answer.code);
  return errorResponse(answer, c.get('requestId'));
}
