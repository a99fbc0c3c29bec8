// Registers endpoints with the router and authenticates requests. Order of errors: 404 and 405,
// 401, 403, 429, then the errors of the handler.

import type { Hono } from 'hono';
import { hasRole, type PortalRole } from '../../../shared/contract/portal.ts';
import { authenticate, type Caller, presentedToken } from '../identity/auth.ts';
import { memberOf, presentsSession } from '../portal/session.ts';
import { ApiError, methodNotAllowed } from '../runtime/errors.ts';
import { roleRequired } from '../runtime/portal-errors.ts';
import { scopeRequired } from '../runtime/token-errors.ts';
import { withConcurrencyLimit } from './concurrency.ts';
import { type AppContext, type AppEnv, type Endpoint, routePath, withRefusal } from './endpoint.ts';
import { forwardToHeavyWorker, isForwarded } from './heavy-client.ts';
import { preflight } from './preflight.ts';
import { checkQueryNames } from './query-names.ts';
import { countRefusal, enforceRateLimit, limitMember, withHeavyLimit } from './rate-limit.ts';

export function mount(app: Hono<AppEnv>, endpoints: readonly Endpoint[]): void {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const path = routePath(endpoint.path);
    byPath.set(path, [...(byPath.get(path) ?? []), endpoint]);
  }
  // Register all methods of a path before the next path, which may match the same URLs by a
  // parameter.
  for (const [path, ofPath] of byPath) {
    const list = ofPath.map(({ method }) => method.toUpperCase());
    const allowed = [...list, ...(list.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    for (const endpoint of ofPath) {
      // The router matches HEAD as GET.
      const method = endpoint.method === 'head' ? 'GET' : endpoint.method.toUpperCase();
      const methods = endpoint.isOverridable === true ? [method, 'POST'] : [method];
      app.on(methods, path, async (c, next) => {
        const isOverride = c.req.method === 'POST' && endpoint.method !== 'post';
        if (isOverride && overridingMethod(c) !== endpoint.method) return next();
        c.set('commonHeaders', endpoint.commonHeaders);
        if (endpoint.method === 'head' && c.req.method === 'GET') throw methodNotAllowed(allowed);
        c.set('endpoint', endpoint.id);
        c.set('tag', endpoint.tag);
        const caller = await admit(c, endpoint);
        return withRefusal(endpoint, () => answer(c, endpoint, caller));
      });
    }
    app.all(path, (c) => {
      c.set('commonHeaders', ofPath[0]?.commonHeaders);
      if (c.req.method !== 'OPTIONS') throw methodNotAllowed(allowed);
      return preflight(allowed, ofPath[0]?.optionsHeaders);
    });
  }
}

async function answer(c: AppContext, endpoint: Endpoint, caller: Caller | undefined) {
  checkQueryNames(c, endpoint);
  const handle = async () =>
    caller !== undefined && isForwarded(c.env, endpoint)
      ? forwardToHeavyWorker(c, endpoint, caller)
      : endpoint.handle(c);
  if (caller === undefined || (await endpoint.isHeavy?.(c)) !== true) return handle();
  // Requests rejected by the concurrency limit do not count towards the rate limit.
  return withConcurrencyLimit(c, caller, () => withHeavyLimit(c, caller, endpoint, handle));
}

/** For clients behind proxies that block methods. Only POST, so that a change never looks like a read. */
const overridingMethod = (c: AppContext): string | undefined =>
  c.req.header('x-http-method-override')?.toLowerCase();

/** @returns the caller if a token is required */
async function admit(c: AppContext, endpoint: Endpoint): Promise<Caller | undefined> {
  const { access } = endpoint;
  if (access.kind === 'public') return undefined;
  if (access.kind === 'session') {
    await admitMember(c, access.role);
    return undefined;
  }
  if (access.kind === 'token' && access.orRole !== undefined && presentsSession(c.req.raw)) {
    await admitMember(c, access.orRole);
    return undefined;
  }
  const { defer } = c.get('cost');
  if (access.kind === 'optional') {
    if (access.isRequired(c.get('settings'))) {
      const caller = await identified(c, false);
      c.set('caller', caller);
      await enforceRateLimit(c, caller, endpoint);
      return caller;
    }
    // An invalid token is counted, but otherwise ignored, if the token is optional.
    try {
      if (presentedToken(c.req.raw) !== undefined) {
        c.set('caller', await authenticate(c.req.raw, c.env, Date.now(), defer));
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const counted = error.status === 401 ? await countRefusal(c, error) : error;
      // If the account is unknown, so are its charts.
      if (counted.status === 429 || counted.status >= 500) throw counted;
      // The limit of rejected tokens is not that of the response.
      c.set('rateLimit', undefined);
    }
    return undefined;
  }
  const caller = await identified(c, access.needsQueryToken === true);
  c.set('caller', caller);
  const scopes = [access.scope, ...(access.orScopes ?? [])];
  if (!scopes.some((scope) => caller.scopes.has(scope))) throw scopeRequired(access.scope);
  access.gate?.(caller, c.get('settings'));
  await enforceRateLimit(c, caller, endpoint);
  return caller;
}

/** @throws ApiError 401 without a session, 403 for a lower role, 429, 503 */
async function admitMember(c: AppContext, role: PortalRole): Promise<void> {
  const member = await memberOf(c.req.raw, c.env).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw await countRefusal(c, error);
  });
  if (!hasRole(member.role, role)) throw roleRequired(role);
  c.set('member', member);
  for (const cookie of member.cookies) c.header('set-cookie', cookie, { append: true });
  await limitMember(c, member.userId);
}

/** @throws ApiError 401, or 429 if the address has had too many of them; 403 */
async function identified(c: AppContext, needsQueryToken: boolean): Promise<Caller> {
  const { defer } = c.get('cost');
  try {
    if (needsQueryToken) {
      await authenticate(c.req.raw, c.env, Date.now(), defer, 'query');
    }
    return await authenticate(c.req.raw, c.env, Date.now(), defer);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw await countRefusal(c, error);
  }
}
