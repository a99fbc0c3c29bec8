// What the tracks of an account added to the depths from the crowd: response of the portal.

import * as z from 'zod';
import { REJECTIONS } from '../crowd/contribution.ts';
import { count, epochMs, meters } from './units.ts';

/** Vessels of a response. */
export const MAX_VESSELS = 200;

const parts = {
  tracks: count.describe('Number of stored tracks'),
  privateTracks: count.describe('Tracks that are not used because their consent is `private`'),
  waitingTracks: count.describe('Shared tracks that the next build will read'),
  soundings: count.describe('Number of soundings of the shared tracks in the last build'),
  used: count.describe('Number of these soundings that are used'),
  rejected: z
    .partialRecord(z.enum(REJECTIONS), count)
    .describe('Number of soundings that are not used, by reason'),
  cells: count.describe('Cells of the finest grid that the tracks cross'),
  publicCells: count.describe('Cells of these that are public'),
  addedCells: count.describe('Public cells that would not be public without this contributor'),
  possibleShoals: count.describe('Public cells of these with a possible shoal'),
};

const vesselSchema = z
  .strictObject({
    platform: z.string().nullable().describe('Name of the vessel, otherwise its `uniqueId`'),
    subject: z.string().describe('Subject of the token that sent the tracks'),
    externalUserId: z
      .string()
      .nullable()
      .describe('Your id of the end user; null if the tracks have no end user'),
    ...parts,
    bias: z
      .strictObject({
        meters: z
          .number()
          .min(-100)
          .max(100)
          .describe('Metres by which the vessel measures too deep'),
        uncertainty: meters.describe('95 % uncertainty, metres'),
        crossings: count.describe('Cells shared with other contributors or charted soundings'),
      })
      .nullable()
      .describe(
        'Error of the vessel in its latest track, which is corrected; null before the first build',
      ),
  })
  .meta({ id: 'VesselContribution', description: 'What the tracks of a vessel added' });

export const contributionsSchema = z
  .strictObject({
    builtAt: epochMs
      .nullable()
      .describe('Time of the last build that read a track; null if no build has read one'),
    ...parts,
    vessels: z
      .array(vesselSchema)
      .describe(`Vessels, those with the most tracks first, at most ${MAX_VESSELS}`),
  })
  .meta({
    id: 'Contributions',
    description: 'What the account added to the depths from the crowd. A cell counts once',
  });
export type Contributions = z.infer<typeof contributionsSchema>;
