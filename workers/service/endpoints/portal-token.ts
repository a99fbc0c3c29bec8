// POST and DELETE /api/portal/v1/apiTokens/{id}, and its rotation

import { apiTokenChangeSchema, rotationSchema } from '../../../shared/contract/portal.ts';
import { changeToken, replaceToken, revokeToken } from '../db/portal-store.ts';
import { idParameter } from '../http/endpoint.ts';
import { publishRevocations, publishToken } from '../portal/publish.ts';
import { afterWrite } from '../runtime/portal-errors.ts';
import { portalEndpoint } from './portal-endpoint.ts';
import {
  API_TOKENS_PATH,
  accountLimit,
  newText,
  newTokenAnswer,
  originsOf,
  shownToken,
  tokenAnswer,
  withText,
} from './portal-tokens.ts';

const DAY_SECONDS = 86_400;
const ROUNDS = 3;
/** The revocation list is repaired at least this often. */
const REPAIR_MS = 21_600_000;
const UNPUBLISHED =
  'The token was replaced, but the old one may work for up to six hours. Revoke the old token, and rotate its replacement.';

const common = {
  path: `${API_TOKENS_PATH}/{id}`,
  access: 'member',
  pathParameter: idParameter(
    'Id of a token of the account, or of any account for an administrator',
    '0b2f6c1e-8a55-4d5c-9f7e-2c4f1d3b6a90',
  ),
} as const;

const missing = {
  description: 'The account has no token with this id',
  error: 'token_not_found',
} as const;
const conflict = {
  description: 'The token was revoked or replaced, or it is a signed token',
  error: 'token_conflict',
} as const;

export const portalToken = [
  portalEndpoint({
    ...common,
    method: 'post',
    id: 'portalUpdateToken',
    summary: 'Changes the name or the origins of a token.',
    description:
      'Fields that the body does not contain keep their value. `restrictions: null` permits every origin. New origins take effect within two minutes.',
    body: {
      schema: apiTokenChangeSchema,
      description: 'The fields to change',
      example: { restrictions: { hosts: ['example.com', 'http://localhost:5173'] } },
    },
    answers: { 200: tokenAnswer, 404: missing, 409: conflict },
    handle: async ({ env, sessionId, id, body: { name, restrictions } }) => {
      const change = { name: name ?? undefined, origins: originsOf(restrictions) };
      let row = await changeToken(env, sessionId, id, change);
      // Of two changes at the same time, the later request may have published the older origins.
      for (let round = 1; ; round++) {
        if (row.tokenHash !== null) await publishToken(env, row);
        const shown = await afterWrite(shownToken(env, sessionId, row.id));
        const isPublished = `${originsOf(shown.restrictions)}` === `${row.origins}`;
        if (isPublished || round === ROUNDS) return shown;
        row = await changeToken(env, sessionId, row.id, {});
      }
    },
  }),
  portalEndpoint({
    ...common,
    method: 'delete',
    id: 'portalRevokeToken',
    summary: 'Revokes a token permanently.',
    description: 'The token is rejected for writes at once, and for reads within two minutes.',
    answers: { 204: { description: 'Revoked' }, 404: missing },
    handle: async ({ env, sessionId, id }) => {
      await revokeToken(env, sessionId, id);
      await afterWrite(publishRevocations(env));
    },
  }),
  portalEndpoint({
    ...common,
    method: 'post',
    path: `${API_TOKENS_PATH}/{id}/rotate`,
    id: 'portalRotateToken',
    summary: 'Replaces a token by a new one with the same rights and lifetime.',
    description:
      'The old token works until the grace period ends, so that you can replace it where it is used. After a leak, use a grace period of 0.',
    body: {
      schema: rotationSchema,
      description: 'The grace period',
      example: { graceSeconds: 3600 },
    },
    answers: {
      201: newTokenAnswer,
      403: accountLimit,
      404: missing,
      409: conflict,
    },
    handle: async ({ env, sessionId, id, body: { graceSeconds } }) => {
      const { text, ...made } = await newText();
      const graceMs = (graceSeconds ?? DAY_SECONDS) * 1000;
      const row = await replaceToken(env, sessionId, { id, graceMs }, made);
      // If one of these fails, the text of the replacement is lost, and the replacement can be rotated.
      await publishToken(env, row);
      await afterWrite(publishRevocations(env), UNPUBLISHED).catch((error: unknown) => {
        // The list is repaired before the grace period ends.
        if (graceMs < REPAIR_MS) throw error;
      });
      return withText(env, sessionId, row.id, text);
    },
  }),
];
