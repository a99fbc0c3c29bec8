// The Worker for heavy work: routes and soundings, done for the service that has looked at who asks.
// It has no address of its own; the service calls it by the binding HEAVY_WORK.

import { Hono } from 'hono';
import { bathymetry } from './endpoints/bathymetry.ts';
import { routing } from './endpoints/routing.ts';
import { hasUnreadBody, respondAfterDrain } from './http/drain-body.ts';
import { type AppContext, type AppEnv, type Endpoint, routePath } from './http/endpoint.ts';
import { errorToResponse } from './http/handle-error.ts';
import { readHeavyRequest, withHeavyReport } from './http/heavy-client.ts';
import { requestIds } from './runtime/log.ts';
import { CollectedQueries } from './runtime/observe.ts';
import { newCost } from './runtime/request-cost.ts';

/** Endpoints whose work is done here. */
export const HEAVY_ENDPOINTS: readonly Endpoint[] = [routing, bathymetry];

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
    // What a refusal left of the body is read here: this Worker has it now.
    const answer = hasUnreadBody(raw) ? await respondAfterDrain(raw, c.res) : c.res;
    c.res = withHeavyReport(answer, reportOf(c));
    return undefined;
  });

  for (const { method, path, handle } of HEAVY_ENDPOINTS) {
    app.on(method.toUpperCase(), routePath(path), handle);
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
