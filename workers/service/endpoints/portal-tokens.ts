// GET and POST /api/portal/v1/apiTokens; GET /api/portal/v1/usage

import * as z from 'zod';
import {
  apiTokenInputSchema,
  MAX_TOKENS_PER_PAGE,
  newPortalTokenSchema,
  type PortalToken,
  portalTokenSchema,
  usageSchema,
} from '../../../shared/contract/portal.ts';
import { kindOf, PUBLIC_SCOPES } from '../../../shared/contract/scopes.ts';
import { issueToken, listTokens, revokeToken, usageByDay } from '../db/portal-store.ts';
import { jsonAnswer } from '../http/endpoint.ts';
import { originOfHost } from '../identity/origins.ts';
import { publishToken } from '../portal/publish.ts';
import type { Env } from '../runtime/env.ts';
import { ApiError, badRequest } from '../runtime/errors.ts';
import { hexOf } from '../runtime/hex.ts';
import { afterWrite } from '../runtime/portal-errors.ts';
import { sha256 } from '../runtime/sha256.ts';
import { checked, limitParameter } from './page-query.ts';
import { PORTAL_PATH, portalEndpoint } from './portal-endpoint.ts';

export const API_TOKENS_PATH = `${PORTAL_PATH}/apiTokens`;
const DAY_MS = 86_400_000;
export const USAGE_DAYS = 90;
/** A day of usage, without requests and their kinds. */
export const USAGE_EXAMPLE = { day: '2025-12-01', refused: 12, failed: 0 };

export const TOKEN: PortalToken = {
  id: '0b2f6c1e-8a55-4d5c-9f7e-2c4f1d3b6a90',
  accountId: 'acme',
  name: 'Harbour page',
  userId: 'b0LZy4vKXtLQhWmG3nqYb4l1pVn7xkRd',
  userEmail: 'harbour@example.com',
  createdAt: 1_764_547_200_000,
  lastUsedAt: 1_764_547_200_000,
  restrictions: { hosts: ['example.com'] },
  scopes: ['tiles', 'styles', 'query', 'reports:write'],
  isPublic: true,
  isOpaque: true,
  state: 'good',
  expiresAt: null,
  revokedAt: null,
  requests30Days: 1280,
};

export const tokenAnswer = jsonAnswer('The token', portalTokenSchema, TOKEN);
export const newTokenAnswer = jsonAnswer('The new token, with its text', newPortalTokenSchema, {
  ...TOKEN,
  lastUsedAt: null,
  requests30Days: 0,
  token: '00112233445566778899aabbccddeeff',
});
export const accountLimit = {
  description: 'The account or your role does not permit such a token, or the account is suspended',
  error: 'account_limit',
} as const;

export const ENDED = checked(
  '`true` to include tokens that were revoked or have expired',
  z.enum(['true', 'false']).default('false'),
);
const PAGE = {
  limit: limitParameter(MAX_TOKENS_PER_PAGE, 'tokens'),
  before: checked('Id of the last token of the previous page', z.string().max(64)),
  ended: ENDED,
} as const;

export const portalTokens = [
  portalEndpoint({
    access: 'member',
    method: 'get',
    path: API_TOKENS_PATH,
    id: 'portalListTokens',
    summary: 'Lists the API tokens of the account, newest first.',
    description: 'For the next page, set `before` to the `id` of the last token.',
    query: PAGE,
    answers: { 200: jsonAnswer('A page of tokens', z.array(portalTokenSchema), [TOKEN]) },
    handle: ({ env, sessionId, query: { ended, ...page } }) =>
      listTokens(env, sessionId, { ...page, withEnded: ended === 'true' }),
  }),
  portalEndpoint({
    access: 'member',
    method: 'post',
    path: API_TOKENS_PATH,
    id: 'portalCreateToken',
    summary: 'Creates an API token of the account.',
    description:
      'The token has 32 hexadecimal digits. Only this response contains it: the service stores its hash. A host without a scheme means `https`. The scope `reports:admin` requires the role moderator, and `charts:write` the role owner.',
    body: {
      schema: apiTokenInputSchema,
      description: 'Name, origins, scopes and lifetime',
      example: { name: 'Harbour page', restrictions: { hosts: ['example.com'] } },
    },
    answers: { 201: newTokenAnswer, 403: accountLimit },
    handle: async ({ env, sessionId, body: input }) => {
      const scopes = [...new Set(input.scopes ?? PUBLIC_SCOPES)];
      const { text, ...made } = await newText();
      const life = input.expiresInDays;
      const row = await issueToken(env, sessionId, {
        ...made,
        kind: kindOf(scopes, false),
        scopes,
        origins: originsOf(input.restrictions) ?? [],
        name: input.name,
        expiresAt: life == null ? null : made.issuedAt + life * DAY_MS,
      });
      try {
        await publishToken(env, row);
      } catch (error) {
        await revokeToken(env, sessionId, row.id).catch(() => undefined);
        throw error;
      }
      return withText(env, sessionId, row.id, text);
    },
  }),
  portalEndpoint({
    access: 'member',
    method: 'get',
    path: `${PORTAL_PATH}/usage`,
    id: 'portalUsage',
    summary: `Returns the number of requests of the account by day, for the last ${USAGE_DAYS} days.`,
    description: 'Days without requests are omitted. A request is counted within a minute.',
    answers: {
      200: jsonAnswer('Requests by day', usageSchema, {
        days: [{ ...USAGE_EXAMPLE, requests: 1280, kinds: { Tiles: 1200, Styles: 80 } }],
      }),
    },
    handle: async ({ env, sessionId }) => ({
      days: await usageByDay(env, sessionId, firstDay()),
    }),
  }),
];

/** The first day of the usage that is returned, in UTC. */
export const firstDay = (): string =>
  new Date(Date.now() - USAGE_DAYS * DAY_MS).toISOString().slice(0, 10);

/** A new token with its text. */
export const withText = async (env: Env, sessionId: string, id: string, text: string) => ({
  ...(await afterWrite(
    shownToken(env, sessionId, id),
    'The token was made, but its text is lost. Rotate the token.',
  )),
  token: text,
});

/** A token of the account, or of any account for an administrator. @throws ApiError 404 */
export async function shownToken(env: Env, sessionId: string, id: string): Promise<PortalToken> {
  const [found] = await listTokens(env, sessionId, { id, withEnded: true, limit: 1 });
  if (found === undefined) throw new ApiError('token_not_found');
  return found;
}

/** Id, hash, text and time of a new opaque token. */
export async function newText() {
  const text = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  const hash = await sha256(new TextEncoder().encode(text));
  const issuedAt = Math.floor(Date.now() / 1000) * 1000;
  return { id: crypto.randomUUID(), text, hash, issuedAt };
}

/** Origins of the restrictions; `[]` for `null`. @throws ApiError 400 */
export function originsOf(
  restrictions: { readonly hosts: readonly string[] } | null | undefined,
): string[] | undefined {
  if (restrictions == null) return restrictions === null ? [] : undefined;
  return restrictions.hosts.map((host, at) => {
    const origin = originOfHost(host.trim());
    if (origin !== undefined) return origin;
    const message = 'must be a host or an origin, such as example.com or http://localhost:5173';
    const path = `restrictions.hosts[${at}]`;
    throw badRequest('bad_portal_request', `${path} ${message}.`, [{ path, message }]);
  });
}
