// GET /api/v1/datasets/attributions

import * as z from 'zod';
import { datasetSchema } from '../../../shared/chart/manifest.ts';
import { currentManifest } from '../charts/catalog.ts';
import type { Endpoint } from '../http/endpoint.ts';

export const attributions: Endpoint = {
  method: 'get',
  path: '/api/v1/datasets/attributions',
  id: 'listAttributions',
  summary: 'Where the bundled data came from, and when.',
  description:
    'To be shown by whoever shows the charts. `dataSourcedAt` is when the files were obtained, `dataProcessedAt` when they were built.',
  tag: 'Datasets',
  access: {
    kind: 'optional',
    isRequired: ({ attributionsAuth }) => attributionsAuth === 'required',
  },
  answers: {
    200: {
      description: 'One record a dataset',
      contentType: 'application/json',
      schema: z.array(datasetSchema),
    },
  },
  handle: async (c) => {
    const manifest = await currentManifest(c.env, Date.now(), c.get('cost'));
    // What a token was asked for, a cache that many share may not hand to others.
    const isOpen = c.get('settings').attributionsAuth === 'optional';
    c.header('cache-control', `${isOpen ? 'public' : 'private'}, max-age=300`);
    return c.json(manifest.datasets);
  },
};
