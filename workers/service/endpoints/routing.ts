// POST /api/v1/routing/route

import * as z from 'zod';
import {
  MIN_WAYPOINTS,
  type RouteRequest,
  readRouteRequest,
  routeBodySchema,
} from '../../../shared/contract/route.ts';
import { presentRoute, routeAnswerSchema } from '../../../shared/contract/route-answer.ts';
import { manifestFor } from '../charts/catalog.ts';
import { planTrip } from '../charts/plan-trip.ts';
import { type AppContext, type Endpoint, jsonAnswer, queryParameter } from '../http/endpoint.ts';
import { readJsonObject } from '../http/read-json.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';

const MAX_BODY_BYTES = 65_536;

export const routing: Endpoint = {
  method: 'post',
  path: '/api/v1/routing/route',
  id: 'planRoute',
  summary:
    'Plans a route through waypoints that avoids land, dangers and water too shallow for the vessel. For accounts that may plan routes. Not for navigation.',
  description:
    'If there is no route, the response states the reasons. Depths are charted depths, without tide. For missing properties of the vessel the service uses safe values, which it reports in `constraints`.',
  tag: 'Routing',
  access: {
    kind: 'token',
    scope: 'routing',
    needsQueryToken: true,
    gate: (caller, settings) => {
      if (settings.routingGate && !caller.pilot) throw new ApiError('pilot_required');
    },
  },
  parameters: [
    queryParameter('token', 'The token; this endpoint requires it in the query', z.string(), {
      required: true,
    }),
  ],
  body: {
    schema: routeBodySchema,
    description: `${MIN_WAYPOINTS} to 25 waypoints as [latitude, longitude], visited in this order; the vessel, safety margins and other options are optional`,
    example: {
      waypoints: [
        [-30.005, -20.012],
        [-30.02, -19.96],
      ],
      vessel: { draft: 2, airDraft: 18 },
    },
  },
  answers: {
    200: jsonAnswer(
      'A route, or `success: false` with the reasons as text in `messages` and as codes in `failures`',
      routeAnswerSchema,
    ),
    400: {
      description:
        'A field is missing or invalid; `errors` lists it. The body also has `success`, `messages` and `route`',
      error: 'bad_route',
    },
  },
  isHeavy: () => true,
  isCheckedFirst: true,
  heavyWorkerFailed: () => new ApiError('heavy_work_unavailable'),
  refusal: withoutRoute,
  handle: async (c) => {
    const request = await readRequest(c);
    const cost = c.get('cost');
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost);
    const outcome = await planTrip(c.env, manifest, request.trip, cost);
    const sources = manifest.datasets.map(({ shortDescription }) => shortDescription);
    return c.json(presentRoute(outcome, request, sources), 200, { 'cache-control': 'no-store' });
  },
};

/** @throws ApiError 400 with every invalid field */
async function readRequest(c: AppContext): Promise<RouteRequest> {
  const body = await readJsonObject(c, MAX_BODY_BYTES);
  const read = readRouteRequest(body, c.get('settings').routingMaxWaypoints);
  if ('request' in read) return read.request;
  throw invalidInput('bad_route', read.faults);
}

const MAX_NAMED = 10;

/** Adds the contract's three fields to an error, for clients that read only those. */
function withoutRoute(error: ApiError): ApiError {
  const { message, details } = error;
  const named = details.slice(0, MAX_NAMED).map(({ path, message: text }) => `${path}: ${text}`);
  return error.with({ success: false, messages: named.length > 0 ? named : [message], route: [] });
}
