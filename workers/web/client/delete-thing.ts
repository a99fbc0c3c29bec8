// DELETE requests with retries: a 404 after an attempt without response counts as success.

import { NotFoundError, type ProblemError } from './errors.ts';
import { readNothing, sendRequest } from './send-request.ts';
import type { Session } from './session.ts';

/** Sends a DELETE request that returns 204. @throws LeadlineError */
export async function deleteResource(
  session: Session,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const request = { method: 'DELETE', path, signal, isRepeatable: true } as const;
  try {
    await sendRequest(session, request, readNothing);
  } catch (error) {
    if (!(error instanceof NotFoundError && mayBeDeletedByThisCall(error))) throw error;
  }
}

/** Whether an earlier attempt of the same call may have deleted the resource. */
export const mayBeDeletedByThisCall = (error: ProblemError): boolean =>
  error.mayHaveSucceeded && error.code !== undefined;
