// GET /api/v1/regions

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { plannedRegion, REGION_QUERY, REGION_REFUSALS } from '../regions/answer-region.ts';
import { sendFile } from '../regions/send-file.ts';

const AS_BYTES = {
  contentType: 'application/vnd.pmtiles',
  alsoAs: { 'application/octet-stream': z.unknown() },
} as const;

export const regions: Endpoint = {
  method: 'get',
  path: '/api/v1/regions',
  id: 'getRegion',
  summary: 'Returns the charts of a bounding box in one file for offline use.',
  description:
    'The file contains a PMTiles archive of the vector tiles, an archive of features, and a zip file with style documents, sprites, glyphs and `region.json`. The response has a `Content-Length`, also for `HEAD`. To resume a download, send `Range` with `If-Match` or `If-Range`; the ETag is strong. With `from`, the response is a delta to an earlier file of the region. The operator can create larger regions with `charts extract`. Not for navigation.',
  tag: 'Regions',
  access: { kind: 'token', scope: 'tiles' },
  parameters: REGION_QUERY,
  answers: {
    200: { description: 'The file, or with `from` the delta', ...AS_BYTES },
    206: { description: 'The requested range', ...AS_BYTES },
    304: { description: 'Not modified' },
    ...REGION_REFUSALS,
    412: {
      description: 'The charts have changed since the file in `If-Match` was created',
      error: 'region_changed',
    },
    416: {
      description: 'The range begins after the end of the file',
      error: 'range_not_satisfiable',
    },
  },
  handle: async (c) => {
    const { plan, etag, delta, source } = await plannedRegion(c);
    if (delta !== undefined) {
      const contentType = 'application/octet-stream';
      return sendFile(c, source, { ...delta, contentType, name: 'region.delta' });
    }
    const contentType = 'application/vnd.pmtiles';
    return sendFile(c, source, { ...plan, etag, contentType, name: 'region.pmtiles' });
  },
};
