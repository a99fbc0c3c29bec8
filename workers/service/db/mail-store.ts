// Emails of the portal, which a worker sends (`tiles-build/mail`).

import type { Env } from '../runtime/env.ts';
import { resultsOf, runFunction } from './call-portal.ts';

/** Whether a worker that sends email is connected. @throws ApiError 503 */
export async function hasMail(env: Env): Promise<boolean> {
  const [isReady] = await resultsOf<boolean>(env, 'mail_is_ready', []);
  return isReady === true;
}

/** Send a link to set a password if there is such a user. @throws ApiError 409 without email, 503 */
export const requestReset = (env: Env, address: string): Promise<void> =>
  runFunction(env, 'request_reset', [address]);

/** Send a new user a link to set a password. @returns whether it is sent */
export async function mailInvitation(env: Env, session: string, user: string): Promise<boolean> {
  const [isMailed] = await resultsOf<boolean>(env, 'portal_mail_invitation', [session, user]);
  return isMailed === true;
}
