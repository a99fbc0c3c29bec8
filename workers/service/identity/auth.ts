// Who is asking: the token of a request to a Caller, or a refusal.

import type { Plan, Scope } from '../../../shared/contract/scopes.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  type TokenClaims,
} from '../../../shared/contract/token-claims.ts';
import { type Env, settingsOf } from '../runtime/env.ts';
import {
  originNotAllowed,
  queryTokenRequired,
  tokenExpired,
  tokenInvalid,
  tokenRequired,
} from '../runtime/token-errors.ts';
import { standingOf } from './denylist.ts';
import { verifyToken } from './token.ts';
import { endUserOf } from './user-token.ts';

/** The authenticated party of a request. */
export interface Caller {
  readonly tokenId: string;
  readonly account: string;
  /** Of the account's tokens, when this one was minted. */
  readonly generation: number;
  /** Who owns what is sent: the end user that the request speaks for, else the token's own subject. */
  readonly subject: string;
  /** What the account calls its end user, where its server vouched for them. */
  readonly endUser: string | undefined;
  /** The token may be in many hands. */
  readonly isPublic: boolean;
  /** Who asks is one person or program: not any of those who hold a public token. */
  readonly isKnown: boolean;
  readonly plan: Plan;
  readonly pilot: boolean;
  /** Scopes in force here: a deployment may take administration from the header alone. */
  readonly scopes: ReadonlySet<Scope>;
  /** Votes are per end user of this caller. */
  readonly votesForUsers: boolean;
  /** Whether the token is for some origins alone: answers differ by the origin that asks. */
  readonly isForOrigins: boolean;
  /** The token itself when it came in the query, for documents that must repeat it. */
  readonly queryToken?: string;
}

interface PresentedToken {
  readonly token: string;
  readonly from: 'header' | 'query';
}

/**
 * The token a request carries. The header wins over the query, as apps add headers to URLs that
 * already hold a token; several differing query tokens are no caller.
 * @param from `query` for what would be presented had there been no header
 * @throws ApiError 401 for another scheme than Bearer or differing tokens
 */
export function presentedToken(
  request: Request,
  from: 'anywhere' | 'query' = 'anywhere',
): PresentedToken | undefined {
  const header = from === 'query' ? null : request.headers.get('authorization');
  if (header !== null) {
    const [, token] = /^bearer +([^\s]+)$/i.exec(header.trim()) ?? [];
    if (token === undefined) {
      throw tokenInvalid('The header Authorization must be Bearer, a space and the token.');
    }
    return { token, from: 'header' };
  }
  const query = request.url.indexOf('?');
  if (query < 0) return undefined;
  const tokens = new Set(new URLSearchParams(request.url.slice(query + 1)).getAll('token'));
  tokens.delete('');
  if (tokens.size > 1) throw tokenInvalid('The query holds different tokens; send one.');
  const [token] = tokens;
  return token === undefined ? undefined : { token, from: 'query' };
}

/** @throws ApiError 401 without a valid token, 403 from an origin the token is not for */
export async function authenticate(
  request: Request,
  env: Env,
  nowMs: number,
  defer: (work: Promise<unknown>) => void,
  from: 'anywhere' | 'query' = 'anywhere',
): Promise<Caller> {
  const presented = presentedToken(request, from);
  if (presented === undefined) {
    const isInHeader = from === 'query' && request.headers.has('authorization');
    throw isInHeader ? queryTokenRequired() : tokenRequired();
  }
  const claims = await verifyToken(presented.token, env, nowMs);
  if (claims === undefined) throw tokenInvalid();
  if ('expiredAt' in claims) throw tokenExpired(claims.expiredAt);
  if (isExpired(claims, nowMs)) throw tokenExpired(claims.exp!);
  const standing = await standingOf(claims, env, nowMs, defer);
  if (standing === 'stopped') throw tokenInvalid();
  requireOrigin(request, claims);
  const user = await endUserOf(request, claims.acc, env, nowMs);
  const scopes = new Set(claims.scp);
  if (presented.from === 'query' && !settingsOf(env).adminTokenInQuery) {
    scopes.delete('reports:admin');
  }
  if (standing === 'unknown') {
    // Reading goes on while it is unknown who was stopped; what can do harm does not.
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
    votesForUsers: claims.ext,
    isForOrigins: hasOrigins(claims),
    ...(presented.from === 'query' ? { queryToken: presented.token } : {}),
  };
}

const USER = 'user:';

const isExpired = ({ exp }: TokenClaims, nowMs: number): boolean =>
  exp !== undefined && (exp + CLOCK_TOLERANCE_SECONDS) * 1000 <= nowMs;

const hasOrigins = ({ org = [] }: TokenClaims): boolean => org.length > 0;

/** @throws ApiError 403 if a restricted token comes from another origin, or from none that is named */
function requireOrigin(request: Request, claims: TokenClaims): void {
  const { org: allowed = [] } = claims;
  if (allowed.length === 0) return;
  const origin = request.headers.get('origin') ?? originOf(request.headers.get('referer'));
  if (origin === undefined || !allowed.includes(origin)) throw originNotAllowed(origin, allowed);
}

function originOf(referer: string | null): string | undefined {
  try {
    return referer === null ? undefined : new URL(referer).origin;
  } catch {
    return undefined;
  }
}
