// GET /api/v1/regions/plan

import { regionPlanSchema } from '../../../shared/contract/region.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import { plannedRegion, presentPlan, REGION_QUERY } from '../regions/answer-region.ts';

export const regionPlan: Endpoint = {
  method: 'get',
  path: '/api/v1/regions/plan',
  id: 'planRegion',
  isStrict: true,
  summary: 'What the file of a region would be: its size, its charts, and what changed since.',
  description:
    'Asked before the file is fetched, and every week to see whether it changed: `id` does. `charted` tells whether any chart lies in the box.',
  tag: 'Regions',
  access: { kind: 'token', scope: 'tiles' },
  parameters: REGION_QUERY,
  answers: {
    200: {
      description: 'The file in words',
      contentType: 'application/json',
      schema: regionPlanSchema,
    },
    304: { description: 'Not changed' },
    400: { description: 'A parameter is missing or wrong; it is named' },
    404: {
      description: 'There is nothing at all in the box, or the file named by `from` is not known',
    },
    413: { description: 'Larger than the plan of the account permits; `limitBytes` says how much' },
  },
  handle: async (c) => {
    const planned = await plannedRegion(c);
    const etag = (planned.delta?.etag ?? planned.etag).replace(/"$/, '-plan"');
    const headers = { etag, 'cache-control': 'private, max-age=60' };
    const known = c.req.header('if-none-match');
    if (known !== undefined && matchesEtag(known, etag)) {
      return new Response(null, { status: 304, headers });
    }
    return c.json(presentPlan(planned), 200, headers);
  },
};
