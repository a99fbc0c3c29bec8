// POST /api/v1/user-tokens

import {
  readUserTokenRequest,
  userTokenRequestSchema,
  userTokenSchema,
} from '../../../shared/contract/user-token.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { limitUserTokens } from '../http/rate-limit.ts';
import { readJsonObject } from '../http/read-json.ts';
import { signUserToken, userTokenSecret } from '../identity/user-token.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';
import { callerOf } from './report-requests.ts';

const MAX_BODY_BYTES = 4096;

export const userTokens: Endpoint = {
  method: 'post',
  path: '/api/v1/user-tokens',
  id: 'createUserToken',
  summary: 'Creates a token for an end user, to be sent in the `Leadline-User` header.',
  description:
    'Many people use the same public token. With a user token in addition, end users own their reports, can delete them, and have separate votes.',
  tag: 'Reports',
  access: { kind: 'token', scope: 'reports:write' },
  body: {
    schema: userTokenRequestSchema,
    description:
      'With a secret token: `externalUserId`, your id of the end user, and optionally `expiresInSeconds` (60 to 86,400, default 3600). Without `externalUserId`, which is also allowed with a public token: a token for an anonymous device, valid for a year',
    example: {},
  },
  answers: {
    201: jsonAnswer('The user token', userTokenSchema),
    400: { description: 'A field is invalid; `errors` lists it', error: 'bad_user_token' },
    403: {
      description: '`externalUserId` requires a secret token',
      error: 'secret_token_required',
    },
    404: { description: 'User tokens are disabled (no USER_TOKEN_SECRET)', error: 'not_found' },
  },
  handle: async (c) => {
    const secret = userTokenSecret(c.env);
    if (secret === undefined) throw new ApiError('not_found');
    const { account, isPublic, tokenId } = callerOf(c);
    const wanted = readUserTokenRequest(await readJsonObject(c, MAX_BODY_BYTES));
    if ('faults' in wanted) throw invalidInput('bad_user_token', wanted.faults);
    const { externalUserId, expiresInSeconds } = wanted;
    if (isPublic) {
      if (externalUserId !== undefined) throw new ApiError('secret_token_required');
      // Each user token is a voter, so one address must not get many.
      await limitUserTokens(c, tokenId);
    }
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + expiresInSeconds;
    const sub =
      externalUserId === undefined ? `device:${crypto.randomUUID()}` : `user:${externalUserId}`;
    const userToken = await signUserToken(secret, { acc: account, sub, iat, exp });
    const body = { userToken, expiresAt: exp * 1000 };
    return c.json(body, 201, { 'cache-control': 'no-store' });
  },
};
