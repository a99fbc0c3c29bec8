// Responses of the portal API about the tracks of an account.

import * as z from 'zod';
import { share } from './consent.ts';
import { nextCursor } from './report-list.ts';
import { trackFields } from './tracks.ts';
import { meters, soundingMeters } from './units.ts';

export const MAX_TRACKS_PER_PAGE = 50;

const portalTrackSchema = z
  .strictObject({
    ...trackFields,
    subject: z.string().describe('Subject of the token that sent the track'),
    platform: z
      .string()
      .nullable()
      .describe('Name of the vessel as it was sent, otherwise its `uniqueId`; null without both'),
    externalUserId: z
      .string()
      .nullable()
      .describe('Your id of the end user; null if the track has no end user'),
    share: share.describe('Consent to use the soundings for the crowdsourced depths'),
    leastDepth: soundingMeters.describe('Least depth in metres, positive downwards'),
    greatestDepth: soundingMeters.describe('Greatest depth in metres, positive downwards'),
    lengthMeters: meters.describe('Distance along the points in metres'),
  })
  .meta({ id: 'PortalTrack', description: 'A track of the account, without points' });
export type PortalTrack = z.infer<typeof portalTrackSchema>;

export const portalTrackListSchema = z
  .strictObject({
    tracks: z.array(portalTrackSchema).describe('Tracks of the account, the newest first'),
    nextCursor,
  })
  .meta({ id: 'PortalTrackList', description: 'A page of the tracks of an account' });
export type PortalTrackList = z.infer<typeof portalTrackListSchema>;
