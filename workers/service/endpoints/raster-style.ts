// GET /api/v1/styles/raster.json

import { styleSchema } from '../../../shared/contract/map-documents.ts';
import { manifestFor } from '../charts/catalog.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { sendStyle } from '../styles/send-style.ts';
import { rasterStyle } from '../styles/style-documents.ts';

export const rasterStyleDocument: Endpoint = {
  method: 'get',
  path: '/api/v1/styles/raster.json',
  id: 'getRasterStyle',
  summary: 'Returns the style document for the raster tiles.',
  description:
    'The document is for MapLibre clients. Other clients can use the URL of the raster tiles directly.',
  tag: 'Styles',
  access: { kind: 'token', scope: 'styles' },
  answers: {
    200: jsonAnswer('A style document', styleSchema),
    304: { description: 'Not modified' },
  },
  handle: async (c) => {
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), c.get('cost'));
    const { origin } = new URL(c.req.url);
    return sendStyle(c, await rasterStyle(origin, manifest, c.get('caller')?.queryToken));
  },
};
