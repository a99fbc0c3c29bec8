// Consent of contributors: whether soundings may be used for the crowdsourced depths.

import * as z from 'zod';
import { SHARES } from '../crowd/contribution.ts';
import { count, endUserId } from './units.ts';

export const share = z.enum(SHARES);

const MEANING =
  '`private`: not used; `aggregate`: only in depths that several boats support; `open data`: also passed on as tracks';

/** Unknown fields are rejected: with a misspelt selection, the change would apply to all tracks. */
export const shareSchema = z
  .strictObject({
    share: share.describe(MEANING),
    trackId: z.uuid().nullish().describe('Only this track'),
    externalUserId: endUserId.nullish().describe('Only the tracks of this end user'),
  })
  .meta({ id: 'ConsentChange', description: 'New consent for stored tracks; by default for all' });

export const sharedSchema = z
  .strictObject({ tracks: count.describe('Number of tracks whose consent changed') })
  .meta({ id: 'ConsentChanged', description: 'Result of a change of consent' });

export const defaultShareSchema = z.object({ share: share.describe(MEANING) }).meta({
  id: 'DefaultConsent',
  description: 'Consent for new uploads of the account that have no `share`',
});
