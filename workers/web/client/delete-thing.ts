// Deletions, which may be sent again: what an earlier attempt deleted is deleted.

import { NotFoundError, type ProblemError } from './errors.ts';
import { readNothing, sendRequest } from './send-request.ts';
import type { Session } from './session.ts';

/** Delete what is answered with 204. @throws LeadlineError */
export async function deleteThing(
  session: Session,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const request = { method: 'DELETE', path, signal, isRepeatable: true } as const;
  try {
    await sendRequest(session, request, readNothing);
  } catch (error) {
    if (!(error instanceof NotFoundError && wasDeletedHere(error))) throw error;
  }
}

/** The service says that it is gone, and an earlier attempt of the same call may have done that. */
export const wasDeletedHere = (error: ProblemError): boolean =>
  error.mayBeDone && error.code !== undefined;
