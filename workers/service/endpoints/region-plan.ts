// GET /api/v1/regions/plan

import { regionPlanSchema } from '../../../shared/contract/region.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import {
  plannedRegion,
  presentPlan,
  REGION_QUERY,
  REGION_REFUSALS,
} from '../regions/answer-region.ts';

export const regionPlan: Endpoint = {
  method: 'get',
  path: '/api/v1/regions/plan',
  id: 'planRegion',
  summary: 'Returns the size and charts of a region file, and with `from` the changes since then.',
  description:
    'Request it before you download the file, and regularly afterwards to check for updates: the `id` changes with the charts. `charted` is true if a chart covers any part of the box.',
  tag: 'Regions',
  access: { kind: 'token', scope: 'tiles' },
  parameters: REGION_QUERY,
  answers: {
    200: jsonAnswer('The description of the file', regionPlanSchema),
    304: { description: 'Not modified' },
    ...REGION_REFUSALS,
  },
  handle: async (c) => {
    const planned = await plannedRegion(c);
    const etag = (planned.delta?.etag ?? planned.etag).replace(/"$/, '-plan"');
    const headers = { etag, 'cache-control': 'private, max-age=60', vary: 'Authorization' };
    if (matchesEtag(c.req.header('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers });
    }
    return c.json(presentPlan(planned), 200, headers);
  },
};
