// The Worker for heavy work: routes and soundings. It has no public address; the service calls it
// through the binding HEAVY_WORK after it has authenticated the caller.

import { Hono } from 'hono';
import { bathymetry } from './endpoints/bathymetry.ts';
import { bathymetryImport } from './endpoints/bathymetry-import.ts';
import { routing } from './endpoints/routing.ts';
import { hasUnreadBody, respondAfterDrain } from './http/drain-body.ts';
import {
  type AppContext,
  type AppEnv,
  type Endpoint,
  routePath,
  withRefusal,
} from './http/endpoint.ts';
import { errorToResponse } from './http/handle-error.ts';
import { readHeavyRequest, withHeavyReport } from './http/heavy-client.ts';
import { requestIds } from './runtime/log.ts';
import { CollectedQueries } from './runtime/observe.ts';
import { newCost } from './runtime/request-cost.ts';

/** The endpoints of this Worker. */
export const HEAVY_ENDPOINTS: readonly Endpoint[] = [routing, bathymetry, bathymetryImport];

export function createHeavyWorker(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.use(async (c, next) => {
    const order = readHeavyRequest(c.req.raw);
    if (order === undefined) return c.body(null, 404);
    c.set('requestId', order.requestId);
    c.set(
      'cost',
      newCost((work) => c.executionCtx.waitUntil(work)),
    );
    c.set('settings', order.settings);
    c.set('caller', order.caller);
    c.set('writeKey', order.writeKey);
    await requestIds.run(order.requestId, next);
    const { raw } = c.req;
    // This Worker has the body, so it drains the unread rest.
    const answer = hasUnreadBody(raw) ? await respondAfterDrain(raw, c.res) : c.res;
    c.res = withHeavyReport(answer, reportOf(c));
    return undefined;
  });

  for (const endpoint of HEAVY_ENDPOINTS) {
    app.on(endpoint.method.toUpperCase(), routePath(endpoint.path), (c) =>
      withRefusal(endpoint, () => endpoint.handle(c)),
    );
  }
  app.onError(errorToResponse);

  return app;
}

function reportOf(c: AppContext) {
  const { bucketReads, from } = c.get('cost');
  const { OBSERVER } = c.env;
  const questions = OBSERVER instanceof CollectedQueries ? OBSERVER.take() : [];
  return { bucketReads, from, refusal: c.get('refusal'), questions };
}
