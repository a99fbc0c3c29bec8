// GET /api/portal/v1/contributions

import { type Contributions, contributionsSchema } from '../../../shared/contract/contributions.ts';
import { contributionsOf } from '../db/contribution-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

const PARTS = {
  ...{ tracks: 4, privateTracks: 1, waitingTracks: 0, soundings: 3120, used: 3050 },
  rejected: { outlier: 58, short: 12 },
  ...{ cells: 410, publicCells: 180, addedCells: 22, possibleShoals: 1 },
};
const EXAMPLE: Contributions = {
  builtAt: 1_780_315_200_000,
  ...PARTS,
  vessels: [
    {
      platform: 'My boat',
      subject: 'member:b0LZy4vKXtLQhWmG3nqYb4l1pVn7xkRd',
      externalUserId: null,
      ...PARTS,
      bias: { meters: -0.42, uncertainty: 0.14, crossings: 96 },
    },
  ],
};

export const portalContributions = portalEndpoint({
  method: 'get',
  path: `${PORTAL_PATH}/contributions`,
  id: 'portalGetContributions',
  summary: 'Returns what the tracks of the account added to the crowdsourced depths.',
  description:
    'Numbers of tracks, soundings and cells, for the account and for each vessel, as the last builds stored them. A track that does not change keeps the numbers of the build that last changed a cell near it.',
  access: 'member',
  answers: {
    200: jsonAnswer(
      'The contributions; zeros before the first build',
      contributionsSchema,
      EXAMPLE,
    ),
  },
  handle: ({ env, member }) => contributionsOf(env, member.account),
});
