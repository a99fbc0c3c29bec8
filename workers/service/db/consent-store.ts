// Consent of tracks. A change of many tracks is made in parts, because a request of the database is short.

import type { Share } from '../../../shared/crowd/contribution.ts';
import type { Caller } from '../identity/auth.ts';
import type { Env } from '../runtime/env.ts';
import { writeDatabase } from './ask-database.ts';
import { resultsOf } from './call-portal.ts';

/** Tracks whose consent one call changes: less than a second of work. */
const AT_ONCE = 5000;

/** Which tracks of a sender or an account; all of them by default. */
export interface TrackChoice {
  readonly trackId?: string | null | undefined;
  readonly externalUserId?: string | null | undefined;
}

/** Changes the consent for tracks of a sender. @returns the number of changed tracks @throws ApiError 401, 503 */
export const shareTracks = (
  env: Env,
  { tokenId, generation, account, subject }: Caller,
  { trackId, externalUserId }: TrackChoice,
  share: Share,
): Promise<number> =>
  inParts(async () => {
    const [row] = await writeDatabase(env, (write) =>
      write.call<{ changed: number }>(
        'SELECT share_tracks($1, $2, $3, $4, $5, $6, $7, $8) AS changed',
        [
          ...[tokenId, generation, account, subject],
          externalUserId ?? null,
          trackId ?? null,
          share,
          AT_ONCE,
        ],
      ),
    );
    return row!.changed;
  });

/** The same for all senders of the account of a session. @throws ApiError for a broken rule, 503 */
export const shareAccountTracks = (
  env: Env,
  session: string,
  { trackId, externalUserId }: TrackChoice,
  share: Share,
): Promise<number> =>
  inParts(async () => {
    const [changed] = await resultsOf<number>(env, 'portal_share_tracks', [
      ...[session, externalUserId, trackId, share, AT_ONCE],
    ]);
    return changed!;
  });

/** The default consent of the account, after a change if `share` is given. @throws ApiError for a broken rule, 503 */
export async function defaultShare(env: Env, session: string, share?: Share): Promise<Share> {
  const [found] = await resultsOf<Share>(env, 'portal_default_share', [session, share]);
  return found!;
}

async function inParts(change: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const changed = await change();
    total += changed;
    if (changed < AT_ONCE) return total;
  }
}
