// GET /api/v1/datasets/attributions

import * as z from 'zod';
import { datasetSchema } from '../../shared/chart/manifest.ts';
import { currentManifest } from '../charts/catalog.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { tokenRequired } from '../runtime/errors.ts';

export const attributions: Endpoint = {
  method: 'get',
  path: '/api/v1/datasets/attributions',
  id: 'listAttributions',
  summary: 'Where the bundled data came from, and when.',
  description:
    'To be shown by whoever shows the charts. `dataSourcedAt` is when the files were obtained, `dataProcessedAt` when they were built.',
  tag: 'Datasets',
  access: { kind: 'optional' },
  answers: {
    200: {
      description: 'One record a dataset',
      contentType: 'application/json',
      schema: z.array(datasetSchema),
    },
  },
  handle: async (c) => {
    if (c.get('settings').attributionsAuth === 'required' && c.get('caller') === undefined) {
      throw tokenRequired();
    }
    const manifest = await currentManifest(c.env, Date.now(), c.get('cost'));
    c.header('cache-control', 'public, max-age=300');
    return c.json(manifest.datasets);
  },
};
