// POST /api/v1/user-reports/bathymetry/consent and /api/portal/v1/tracks/consent; the default of an account:
// GET and POST /api/portal/v1/consent

import { defaultShareSchema, sharedSchema, shareSchema } from '../../../shared/contract/consent.ts';
import { defaultShare, shareAccountTracks, shareTracks } from '../db/consent-store.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { readBody } from '../http/read-json.ts';
import { BATHYMETRY_PATH, BATHYMETRY_TAG } from './bathymetry.ts';
import { NO_STORE, PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';
import { callerOf, namedUserOf, USER_TOKEN } from './report-requests.ts';

const MAX_BODY_BYTES = 4096;

const change = {
  method: 'post',
  body: {
    schema: shareSchema,
    description: 'The new consent, and whose tracks it is for',
    example: { share: 'private', externalUserId: 'sailor-7' },
  },
} as const;
const changed = jsonAnswer('The number of tracks that had a different consent', sharedSchema, {
  tracks: 12,
});
const WITHDRAWAL =
  '`private` withdraws the soundings: the next build of the crowdsourced depths does not contain them. Soundings that are uploaded later have the consent of their upload. Backups of the database keep the earlier consent until they expire; after a restore, withdraw again.';

const defaultAnswer = jsonAnswer('The default consent of the account', defaultShareSchema, {
  share: 'private',
});

export const bathymetryConsent: Endpoint = {
  ...change,
  path: `${BATHYMETRY_PATH}/consent`,
  id: 'changeConsent',
  summary:
    'Changes the consent for one of your stored tracks, for those of an end user, or for all.',
  description: WITHDRAWAL,
  tag: BATHYMETRY_TAG,
  access: { kind: 'token', scope: 'bathymetry:write' },
  parameters: [USER_TOKEN],
  answers: {
    200: changed,
    400: {
      description: 'A field is missing, invalid or unknown; `errors` lists it',
      error: 'bad_bathymetry',
    },
  },
  handle: async (c) => {
    const { share, ...choice } = await readBody(c, shareSchema, MAX_BODY_BYTES, 'bad_bathymetry');
    // As in an upload, a user token names the end user.
    const externalUserId = choice.externalUserId && namedUserOf(c, choice.externalUserId);
    const tracks = await shareTracks(c.env, callerOf(c), { ...choice, externalUserId }, share);
    return c.json({ tracks }, 200, NO_STORE);
  },
};

export const portalConsent: readonly Endpoint[] = [
  portalEndpoint({
    ...change,
    path: `${PORTAL_PATH}/tracks/consent`,
    id: 'portalChangeConsent',
    summary:
      'Changes the consent for one stored track of the account, for those of an end user, or for all.',
    description: WITHDRAWAL,
    access: 'moderator',
    answers: { 200: changed },
    handle: async ({ env, sessionId, body: { share, ...choice } }) => ({
      tracks: await shareAccountTracks(env, sessionId, choice, share),
    }),
  }),
  portalEndpoint({
    method: 'get',
    path: `${PORTAL_PATH}/consent`,
    id: 'portalGetConsent',
    summary: 'Returns the default consent of the account.',
    description: 'It holds for uploads without `share`.',
    access: 'member',
    answers: { 200: defaultAnswer },
    handle: async ({ env, sessionId }) => ({ share: await defaultShare(env, sessionId) }),
  }),
  portalEndpoint({
    method: 'post',
    path: `${PORTAL_PATH}/consent`,
    id: 'portalSetConsent',
    summary: 'Changes the default consent of the account.',
    description: 'Stored tracks keep their consent.',
    access: 'owner',
    body: {
      schema: defaultShareSchema,
      description: 'The new default',
      example: { share: 'aggregate' },
    },
    answers: { 200: { ...defaultAnswer, example: { share: 'aggregate' } } },
    handle: async ({ env, sessionId, body: { share } }) => ({
      share: await defaultShare(env, sessionId, share),
    }),
  }),
];
