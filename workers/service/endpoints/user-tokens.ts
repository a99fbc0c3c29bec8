// POST /api/v1/user-tokens

import {
  readUserTokenRequest,
  userTokenRequestSchema,
  userTokenSchema,
} from '../../../shared/contract/user-token.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { limitUserTokens } from '../http/rate-limit.ts';
import { readJsonObject } from '../http/read-json.ts';
import { signUserToken, userTokenSecret } from '../identity/user-token.ts';
import { notFound, secretTokenRequired } from '../runtime/errors.ts';
import { badReport, callerOf } from './report-requests.ts';

const MAX_BODY_BYTES = 4096;

export const userTokens: Endpoint = {
  method: 'post',
  path: '/api/v1/user-tokens',
  id: 'createUserToken',
  summary: 'A token of an end user, to send beside that of the account as `Leadline-User`.',
  description:
    'A public token is in many hands. What is reported with a user token beside it is that user’s to delete, and they have a vote of their own.',
  tag: 'Reports',
  access: { kind: 'token', scope: 'reports:write' },
  body: {
    schema: userTokenRequestSchema,
    description:
      'With a secret token `externalUserId`, the account’s own name for its user, for an hour unless `expiresInSeconds` (60 to 86,400) says otherwise. Without it, also with a public token, an anonymous device, for a year',
    example: {},
  },
  answers: {
    201: { description: 'The token', contentType: 'application/json', schema: userTokenSchema },
    400: { description: 'A field is wrong; it is named' },
    403: { description: 'A public token may not say who its user is' },
    404: { description: 'This deployment gives none' },
  },
  handle: async (c) => {
    const secret = userTokenSecret(c.env);
    if (secret === undefined) throw notFound();
    const { account, isPublic, tokenId } = callerOf(c);
    const wanted = readUserTokenRequest(await readJsonObject(c, MAX_BODY_BYTES));
    if ('faults' in wanted) throw badReport(wanted.faults, 'bad_user_token');
    const { externalUserId, expiresInSeconds } = wanted;
    if (isPublic) {
      if (externalUserId !== undefined) throw secretTokenRequired();
      // Each is a voter: a script at one address must not get many.
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
