// GET /api/v1/user-reports: the source that style documents with showUserReports point to. Nothing
// takes reports yet, so there are none, and that is what it says.

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { badRequest } from '../http/errors.ts';

const collectionSchema = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.unknown()).max(0),
});

export const userReports: Endpoint = {
  method: 'get',
  path: '/api/v1/user-reports',
  id: 'listUserReports',
  summary: 'Active user reports as GeoJSON. Reports are not taken yet: the collection is empty.',
  tag: 'Reports',
  access: { kind: 'token', scope: 'styles' },
  parameters: [
    {
      name: 'format',
      in: 'query',
      description: 'geojson, the only one',
      schema: z.literal('geojson'),
    },
  ],
  answers: {
    200: {
      description: 'No reports',
      contentType: 'application/geo+json',
      schema: collectionSchema,
    },
    400: { description: 'Another format' },
  },
  handle: (c) => {
    const format = c.req.query('format') ?? '';
    if (format !== '' && format !== 'geojson') {
      throw badRequest('bad_query', 'The format is geojson.', [
        { path: 'format', message: 'must be geojson' },
      ]);
    }
    return c.body('{"type":"FeatureCollection","features":[]}', 200, {
      'content-type': 'application/geo+json',
      'cache-control': 'private, max-age=30',
    });
  },
};
