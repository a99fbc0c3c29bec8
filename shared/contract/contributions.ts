// Response of the portal: what the tracks of an account added to the crowdsourced depths.

import * as z from 'zod';
import { REJECTIONS } from '../crowd/contribution.ts';
import { count, epochMs, meters } from './units.ts';

/** Maximum number of vessels in a response. */
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
  cells: count.describe('Number of cells of the finest grid that the tracks cross'),
  publicCells: count.describe('Number of these cells that are public'),
  addedCells: count.describe(
    'Number of public cells that would not be public without this account',
  ),
  possibleShoals: count.describe('Number of `publicCells` with a possible shoal'),
};

const vesselSchema = z
  .strictObject({
    platform: z
      .string()
      .nullable()
      .describe('Name of the vessel, otherwise its `uniqueId`; null if it has neither'),
    subject: z.string().describe('Subject of the token that sent the tracks'),
    externalUserId: z
      .string()
      .nullable()
      .describe('Your id for the end user; null if the tracks have no end user'),
    ...parts,
    bias: z
      .strictObject({
        meters: z
          .number()
          .min(-100)
          .max(100)
          .describe('Metres by which the vessel measures too deep; negative: not deep enough'),
        uncertainty: meters.describe('95 % uncertainty, metres'),
        crossings: count.describe(
          'Number of cells with soundings of other contributors or of the chart',
        ),
      })
      .nullable()
      .describe(
        'Depth error of the vessel in its latest track. The build corrects it; null before the first build',
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
    description:
      'What the account added to the crowdsourced depths. A cell with several tracks counts once',
  });
export type Contributions = z.infer<typeof contributionsSchema>;
