// POST /api/portal/v1/charts/mapToken

import { mapTokenSchema } from '../../../shared/contract/charts.ts';
import { currentRevocations } from '../db/portal-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { signMapToken } from '../identity/map-token.ts';
import { userTokenSecret } from '../identity/user-token.ts';
import { ApiError } from '../runtime/errors.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

export const portalMapToken = portalEndpoint({
  method: 'post',
  path: `${PORTAL_PATH}/charts/mapToken`,
  id: 'portalCreateMapToken',
  summary: 'Creates a token for a map of the charts of the account.',
  description:
    'The token reads tiles and styles for an hour and is not listed with the tokens of the account. Suspending the account or revoking all of its tokens ends it.',
  access: 'member',
  answers: {
    201: jsonAnswer('The token', mapTokenSchema, {
      token: 'map-eyJhbGciOiJIUzI1NiJ9.eyJhY2MiOiJhY21lIn0.c2lnbmF0dXJl',
      expiresAt: 1_780_318_800_000,
    }),
    404: { description: 'The service has no portal', error: 'not_found' },
  },
  handle: async ({ env, member: { account, userId } }) => {
    const secret = userTokenSecret(env);
    if (secret === undefined) throw new ApiError('not_found');
    const { generations } = await currentRevocations(env);
    const gen = new Map(Object.entries(generations)).get(account) ?? 0;
    return signMapToken(secret, { acc: account, gen, sub: `member:${userId}` }, Date.now());
  },
});
