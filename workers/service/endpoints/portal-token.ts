// POST and DELETE /api/portal/v1/apiTokens/{id}, and its rotation

import * as z from 'zod';
import { apiTokenChangeSchema, rotationSchema } from '../../../shared/contract/portal.ts';
import { changeToken, replaceToken, revokeToken } from '../db/portal-store.ts';
import type { AppContext, Endpoint, Parameter } from '../http/endpoint.ts';
import { publishRevocations, publishToken } from '../portal/publish.ts';
import { badBody, portalMember, readPortalBody } from './portal-auth.ts';
import {
  API_TOKENS_PATH,
  accountLimit,
  NO_STORE,
  newText,
  newTokenAnswer,
  originsOf,
  publishNew,
  shownToken,
  tokenAnswer,
} from './portal-tokens.ts';

const DAY_SECONDS = 86_400;
const ROUNDS = 3;

const common = {
  path: `${API_TOKENS_PATH}/{id}`,
  tag: 'Portal',
  access: { kind: 'session', role: 'member' },
  parameters: [
    {
      name: 'id',
      in: 'path',
      description: 'Id of a token of the account, or of any account for an administrator',
      schema: z.string(),
      required: true,
      example: '0b2f6c1e-8a55-4d5c-9f7e-2c4f1d3b6a90',
    },
  ] satisfies Parameter[],
} as const;

const missing = {
  description: 'The account has no token with this id',
  error: 'token_not_found',
} as const;
const conflict = {
  description: 'The token was revoked or replaced, or it is a signed token',
  error: 'token_conflict',
} as const;

const idOf = (c: AppContext): string => c.req.param('id') ?? '';

export const portalToken: readonly Endpoint[] = [
  {
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
    answers: { 200: tokenAnswer, 400: badBody, 404: missing, 409: conflict },
    handle: updateToken,
  },
  {
    ...common,
    method: 'delete',
    id: 'portalRevokeToken',
    summary: 'Revokes a token permanently.',
    description: 'The token is rejected for writes at once, and for reads within two minutes.',
    answers: { 204: { description: 'Revoked' }, 404: missing },
    handle: async (c) => {
      await revokeToken(c.env, portalMember(c).sessionId, idOf(c));
      await publishRevocations(c.env);
      return c.body(null, 204, NO_STORE);
    },
  },
  {
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
      400: badBody,
      403: accountLimit,
      404: missing,
      409: conflict,
    },
    handle: rotateToken,
  },
];

async function updateToken(c: AppContext): Promise<Response> {
  const input = await readPortalBody(c, apiTokenChangeSchema);
  const change = { name: input.name ?? undefined, origins: originsOf(input.restrictions) };
  const { sessionId } = portalMember(c);
  let row = await changeToken(c.env, sessionId, idOf(c), change);
  // Of two changes at the same time, the later request may have published the older origins.
  for (let round = 1; ; round++) {
    if (row.tokenHash !== null) await publishToken(c.env, row);
    const shown = await shownToken(c, row.id);
    const isPublished = `${originsOf(shown.restrictions)}` === `${row.origins}`;
    if (isPublished || round === ROUNDS) return c.json(shown, 200, NO_STORE);
    row = await changeToken(c.env, sessionId, row.id, {});
  }
}

async function rotateToken(c: AppContext): Promise<Response> {
  const { graceSeconds } = await readPortalBody(c, rotationSchema);
  const { text, ...made } = await newText();
  const graceMs = (graceSeconds ?? DAY_SECONDS) * 1000;
  const old = { id: idOf(c), graceMs };
  const row = await replaceToken(c.env, portalMember(c).sessionId, old, made);
  await publishRevocations(c.env);
  return publishNew(c, row, text);
}
