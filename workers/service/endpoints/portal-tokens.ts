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
import { type AppContext, type Endpoint, jsonAnswer, queryParameter } from '../http/endpoint.ts';
import { originOfHost } from '../identity/origins.ts';
import { publishToken } from '../portal/publish.ts';
import { ApiError, badRequest } from '../runtime/errors.ts';
import { hexOf } from '../runtime/hex.ts';
import { sha256 } from '../runtime/sha256.ts';
import { badQuery, DEFAULT_PAGE, limitParameter, valuesOfQuery } from './page-query.ts';
import { badBody, PORTAL_PATH, portalMember, readPortalBody } from './portal-auth.ts';

export const API_TOKENS_PATH = `${PORTAL_PATH}/apiTokens`;
export const NO_STORE = { 'cache-control': 'no-store' } as const;
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

const common = { tag: 'Portal', access: { kind: 'session', role: 'member' } } as const;

const PAGE = [
  limitParameter(MAX_TOKENS_PER_PAGE, 'tokens'),
  queryParameter('before', 'Id of the last token of the previous page', z.string().max(64)),
  queryParameter(
    'ended',
    '`true` to include tokens that were revoked or have expired',
    z.enum(['true', 'false']).default('false'),
  ),
] as const;

export const portalTokens: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    path: API_TOKENS_PATH,
    id: 'portalListTokens',
    isStrict: true,
    summary: 'Lists the API tokens of the account, newest first.',
    description: 'For the next page, set `before` to the `id` of the last token.',
    parameters: PAGE,
    answers: {
      200: jsonAnswer('A page of tokens', z.array(portalTokenSchema), [TOKEN]),
      400: badQuery,
    },
    handle: async (c) => {
      const query = pageOf(c);
      return c.json(await listTokens(c.env, portalMember(c).sessionId, query), 200, NO_STORE);
    },
  },
  {
    ...common,
    method: 'post',
    path: API_TOKENS_PATH,
    id: 'portalCreateToken',
    summary: 'Creates an API token of the account.',
    description:
      'The token has 32 hexadecimal digits. Only this response contains it: the service stores its hash. A host without a scheme means `https`. The scope `reports:admin` requires the role moderator.',
    body: {
      schema: apiTokenInputSchema,
      description: 'Name, origins, scopes and lifetime',
      example: { name: 'Harbour page', restrictions: { hosts: ['example.com'] } },
    },
    answers: { 201: newTokenAnswer, 400: badBody, 403: accountLimit },
    handle: createToken,
  },
  {
    ...common,
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
    handle: async (c) => {
      const days = await usageByDay(c.env, portalMember(c).sessionId, firstDay());
      return c.json({ days }, 200, NO_STORE);
    },
  },
];

/** The first day of the usage that is returned, in UTC. */
export const firstDay = (): string =>
  new Date(Date.now() - USAGE_DAYS * DAY_MS).toISOString().slice(0, 10);

/** @throws ApiError 400 */
function pageOf(c: AppContext) {
  const { limit, before, ended } = valuesOfQuery(c, PAGE);
  return { limit: Number(limit ?? DEFAULT_PAGE), before, withEnded: ended === 'true' };
}

async function createToken(c: AppContext): Promise<Response> {
  const input = await readPortalBody(c, apiTokenInputSchema);
  const { sessionId } = portalMember(c);
  const scopes = [...new Set(input.scopes ?? PUBLIC_SCOPES)];
  const { text, ...made } = await newText();
  const life = input.expiresInDays;
  const row = await issueToken(c.env, sessionId, {
    ...made,
    kind: kindOf(scopes, false),
    scopes,
    origins: originsOf(input.restrictions) ?? [],
    name: input.name,
    expiresAt: life == null ? null : made.issuedAt + life * DAY_MS,
  });
  return publishNew(c, row, text);
}

/** Publish a new token and answer with its text. A token that cannot be published is revoked. */
export async function publishNew(
  c: AppContext,
  row: Awaited<ReturnType<typeof issueToken>>,
  text: string,
): Promise<Response> {
  const { sessionId } = portalMember(c);
  try {
    await publishToken(c.env, row);
  } catch (error) {
    await revokeToken(c.env, sessionId, row.id).catch(() => undefined);
    throw error;
  }
  const token = await shownToken(c, row.id);
  return c.json({ ...token, token: text }, 201, NO_STORE);
}

/** A token of the account, or of any account for an administrator. @throws ApiError 404 */
export async function shownToken(c: AppContext, id: string): Promise<PortalToken> {
  const query = { id, withEnded: true, limit: 1 };
  const [found] = await listTokens(c.env, portalMember(c).sessionId, query);
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
