// Authentication: converts the token of a request to a Caller.

import { isOpaqueToken } from '../../../shared/contract/opaque-token.ts';
import type { Plan, Scope } from '../../../shared/contract/scopes.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  type TokenClaims,
} from '../../../shared/contract/token-claims.ts';
import { type Env, settingsOf } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { originNotAllowed, queryTokenRequired, tokenExpired } from '../runtime/token-errors.ts';
import { standingOf } from './denylist.ts';
import { isMapToken, mapTokenClaims } from './map-token.ts';
import { opaqueClaims } from './opaque-token.ts';
import { verifyToken } from './token.ts';
import { endUserOf } from './user-token.ts';

/** The authenticated party of a request. */
export interface Caller {
  readonly tokenId: string;
  readonly account: string;
  /** Generation of the account's tokens when this token was issued. */
  readonly generation: number;
  /**
   * Owner of the data that the request creates: the end user if present, otherwise the token's
   * subject.
   */
  readonly subject: string;
  /** The account's id of the end user, from a user token. */
  readonly endUser: string | undefined;
  /** Whether many people may use the token. */
  readonly isPublic: boolean;
  /** Whether the caller is one person or program, not any holder of a public token. */
  readonly isKnown: boolean;
  readonly plan: Plan;
  readonly pilot: boolean;
  /** Effective scopes. A deployment may accept administration only from the header. */
  readonly scopes: ReadonlySet<Scope>;
  /** Votes are per end user of this caller. */
  readonly votesForUsers: boolean;
  /** Whether the token is restricted to origins, so that responses depend on the origin. */
  readonly isRestrictedToOrigins: boolean;
  /** The account, if it may have charts of its own; otherwise it sees the public charts. */
  readonly chartSet?: string;
  /** The token if it was in the query, for documents that must contain it. */
  readonly queryToken?: string;
}

interface PresentedToken {
  readonly token: string;
  /** `both` if header and query have the same token. */
  readonly from: 'header' | 'query' | 'both';
}

/**
 * The token of a request. The header has precedence over the query, because apps add headers to
 * URLs that already contain a token.
 * @param from `query` to ignore the header
 * @throws ApiError 401 for a scheme other than Bearer, or different tokens in the query
 */
export function presentedToken(
  request: Request,
  from: 'anywhere' | 'query' = 'anywhere',
): PresentedToken | undefined {
  const inQuery = tokenInQuery(request);
  const header = from === 'query' ? '' : authorizationOf(request);
  if (header !== '') {
    const [, token] = /^bearer +([^\s]+)$/i.exec(header) ?? [];
    if (token === undefined) {
      throw new ApiError(
        'token_invalid',
        'The Authorization header is invalid. Send it as Authorization: Bearer TOKEN.',
      );
    }
    return { token, from: token === inQuery ? 'both' : 'header' };
  }
  return inQuery === undefined ? undefined : { token: inQuery, from: 'query' };
}

/** Some clients send an empty header if they have no token for it. */
const authorizationOf = ({ headers }: Request): string =>
  headers.get('authorization')?.trim() ?? '';

/** @throws ApiError 401 for different tokens */
function tokenInQuery(request: Request): string | undefined {
  const query = request.url.indexOf('?');
  if (query < 0) return undefined;
  const tokens = new Set(new URLSearchParams(request.url.slice(query + 1)).getAll('token'));
  tokens.delete('');
  if (tokens.size > 1)
    throw new ApiError(
      'token_invalid',
      'The query contains different tokens. Send the parameter token once.',
    );
  const [token] = tokens;
  return token;
}

/** @throws ApiError 401 without a valid token, 403 for an origin that the token does not allow */
export async function authenticate(
  request: Request,
  env: Env,
  nowMs: number,
  defer: (work: Promise<unknown>) => void,
  from: 'anywhere' | 'query' = 'anywhere',
): Promise<Caller> {
  const presented = presentedToken(request, from);
  if (presented === undefined) {
    const isInHeader = from === 'query' && authorizationOf(request) !== '';
    throw isInHeader ? queryTokenRequired() : new ApiError('token_required');
  }
  const claims = await verifierOf(presented.token)(presented.token, env, nowMs);
  if (claims === undefined) throw new ApiError('token_invalid');
  if ('expiredAt' in claims) throw tokenExpired(claims.expiredAt);
  if (isExpired(claims, nowMs)) throw tokenExpired(claims.exp!);
  const standing = await standingOf(claims, env, nowMs, defer);
  if (standing.of === 'stopped') throw new ApiError('token_invalid');
  requireOrigin(request, claims);
  const user = await endUserOf(request, claims.acc, env, nowMs);
  const scopes = new Set(claims.scp);
  if (presented.from === 'query' && !settingsOf(env).adminTokenInQuery) {
    scopes.delete('reports:admin');
  }
  if (standing.of === 'unknown') {
    // Without the list of revoked tokens, reads are allowed, but not administration and routing.
    scopes.delete('reports:admin');
    scopes.delete('routing');
  }
  return {
    tokenId: claims.jti,
    account: claims.acc,
    generation: claims.gen,
    subject: user ?? claims.sub,
    endUser: user?.startsWith(USER) ? user.slice(USER.length) : undefined,
    isPublic: claims.typ === 'pk',
    isKnown: claims.typ === 'sk' || user !== undefined,
    plan: claims.plan,
    pilot: claims.pilot,
    scopes,
    // A user token names the voter.
    votesForUsers: claims.ext && user === undefined,
    isRestrictedToOrigins: hasOrigins(claims),
    ...(standing.hasCharts ? { chartSet: claims.acc } : {}),
    ...(presented.from !== 'header' ? { queryToken: presented.token } : {}),
  };
}

function verifierOf(token: string) {
  if (isOpaqueToken(token)) return opaqueClaims;
  return isMapToken(token) ? mapTokenClaims : verifyToken;
}

const USER = 'user:';

const isExpired = ({ exp }: TokenClaims, nowMs: number): boolean =>
  exp !== undefined && (exp + CLOCK_TOLERANCE_SECONDS) * 1000 <= nowMs;

const hasOrigins = ({ org = [] }: TokenClaims): boolean => org.length > 0;

/** @throws ApiError 403 if the token is restricted and the origin is missing or different */
function requireOrigin(request: Request, claims: TokenClaims): void {
  const { org: allowed = [] } = claims;
  if (allowed.length === 0) return;
  const { headers } = request;
  const origin =
    headers.get('origin') ?? originOf(headers.get('referer')) ?? originOfOwnPage(request);
  if (origin === undefined || !allowed.includes(origin)) throw originNotAllowed(origin, allowed);
}

/** The service's own pages: browsers send no Origin header with GET requests, and extensions may remove Referer. */
function originOfOwnPage({ headers, url }: Request): string | undefined {
  return headers.get('sec-fetch-site') === 'same-origin' ? new URL(url).origin : undefined;
}

function originOf(referer: string | null): string | undefined {
  try {
    return referer === null ? undefined : new URL(referer).origin;
  } catch {
    return undefined;
  }
}
