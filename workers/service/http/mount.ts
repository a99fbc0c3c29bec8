// Endpoints onto the router: who is asked for a token, what other methods answer, and the order of
// refusals: 404 and 405, then 401, 403, then whatever the handler finds.

import type { Hono } from 'hono';
import { authenticate, type Caller, presentedToken } from '../identity/auth.ts';
import { ApiError, methodNotAllowed } from '../runtime/errors.ts';
import { scopeRequired } from '../runtime/token-errors.ts';
import { withConcurrencyLimit } from './concurrency.ts';
import { type AppContext, type AppEnv, type Endpoint, routePath } from './endpoint.ts';
import { forwardToHeavyWorker, isForwarded } from './heavy-client.ts';
import { preflight } from './preflight.ts';
import { checkQueryNames } from './query-names.ts';
import { countRefusal, enforceRateLimit, limitHeavyWork } from './rate-limit.ts';

export function mount(app: Hono<AppEnv>, endpoints: readonly Endpoint[]): void {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const path = routePath(endpoint.path);
    byPath.set(path, [...(byPath.get(path) ?? []), endpoint]);
  }
  // An address is done with before the next: a later one may have a parameter where it has a word.
  for (const [path, those] of byPath) {
    for (const endpoint of those) {
      app.on(endpoint.method.toUpperCase(), path, async (c) => {
        c.set('endpoint', endpoint.id);
        const caller = await admit(c, endpoint);
        checkQueryNames(c, endpoint);
        const handle = () =>
          caller !== undefined && isForwarded(c.env, endpoint)
            ? forwardToHeavyWorker(c, endpoint, caller)
            : endpoint.handle(c);
        if (caller === undefined || endpoint.isHeavy?.(c) !== true) return handle();
        // What there is no room for is not counted: it will come again.
        return withConcurrencyLimit(c, caller, async () => {
          await limitHeavyWork(c, caller, endpoint);
          return handle();
        });
      });
    }
    const list = those.map(({ method }) => method.toUpperCase());
    const allowed = [...list, ...(list.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    app.all(path, (c) => {
      if (c.req.method !== 'OPTIONS') throw methodNotAllowed(allowed);
      return preflight(allowed);
    });
  }
}

/** @returns who asks, where a token is required */
async function admit(c: AppContext, endpoint: Endpoint): Promise<Caller | undefined> {
  const { access } = endpoint;
  if (access.kind === 'public') return undefined;
  const { defer } = c.get('cost');
  if (access.kind === 'optional') {
    if (access.isRequired(c.get('settings'))) {
      const caller = await identified(c, false);
      c.set('caller', caller);
      await enforceRateLimit(c, caller, endpoint);
      return caller;
    }
    // A token that is wrong is no worse than none here.
    try {
      if (presentedToken(c.req.raw) !== undefined) {
        c.set('caller', await authenticate(c.req.raw, c.env, Date.now(), defer));
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    return undefined;
  }
  const caller = await identified(c, access.needsQueryToken === true);
  c.set('caller', caller);
  const mayUse = [access.scope, access.orScope].some(
    (scope) => scope !== undefined && caller.scopes.has(scope),
  );
  if (!mayUse) throw scopeRequired(access.scope);
  access.gate?.(caller, c.get('settings'));
  await enforceRateLimit(c, caller, endpoint);
  return caller;
}

/** @throws ApiError 401, or 429 where an address has had too many of these; 403 */
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
