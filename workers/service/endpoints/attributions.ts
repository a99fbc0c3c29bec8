// GET /api/v1/datasets/attributions

import * as z from 'zod';
import { datasetSchema } from '../../../shared/chart/manifest.ts';
import { manifestFor } from '../charts/catalog.ts';
import { crowdState } from '../charts/crowd-catalog.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';

export const attributions: Endpoint = {
  method: 'get',
  path: '/api/v1/datasets/attributions',
  id: 'listAttributions',
  summary: 'Lists the sources of the chart data.',
  description:
    'Display the attributions wherever you display the charts. `dataSourcedAt` is the time when the files were downloaded, `dataProcessedAt` the time when they were processed.',
  tag: 'Datasets',
  access: {
    kind: 'optional',
    isRequired: ({ attributionsAuth }) => attributionsAuth === 'required',
  },
  answers: {
    200: jsonAnswer('One object per dataset', z.array(datasetSchema)),
  },
  handle: async (c) => {
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), c.get('cost'));
    // A shared cache must not serve a response that required a token.
    const isOpen =
      c.get('settings').attributionsAuth === 'optional' && c.get('caller')?.chartSet === undefined;
    c.header('cache-control', `${isOpen ? 'public' : 'private'}, max-age=300`);
    c.header('vary', 'Authorization');
    // The attributions of charts must not fail because of the crowdsourced depths.
    const { manifest: crowd } = await crowdState(c.env, Date.now(), c.get('cost'));
    return c.json([...manifest.datasets, ...(crowd?.datasets ?? [])]);
  },
};
