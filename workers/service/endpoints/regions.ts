// GET /api/v1/regions

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { plannedRegion, REGION_QUERY } from '../regions/answer-region.ts';
import { sendFile } from '../regions/send-file.ts';

const AS_BYTES = {
  contentType: 'application/vnd.pmtiles',
  alsoAs: { 'application/octet-stream': z.unknown() },
} as const;

export const regions: Endpoint = {
  method: 'get',
  path: '/api/v1/regions',
  id: 'getRegion',
  isStrict: true,
  summary: 'The chart of a region in one file, for where there is no network.',
  description:
    'A PMTiles archive of the vector tiles, with one of features behind it, and a zip with style documents, sprites, glyphs and `region.json` at its end. The length is told before, `HEAD` too; ranges resume with `If-Match` or `If-Range`, as the ETag names these very bytes. With `from`, what changed since an earlier file of the region. Larger regions are made by whoever runs the service, with `charts extract`. Not for navigation.',
  tag: 'Regions',
  access: { kind: 'token', scope: 'tiles' },
  parameters: REGION_QUERY,
  answers: {
    200: { description: 'The file, or with `from` what changed since', ...AS_BYTES },
    206: { description: 'The range of it that was asked for', ...AS_BYTES },
    304: { description: 'Not changed' },
    400: { description: 'A parameter is missing or wrong; it is named' },
    404: {
      description: 'There is nothing at all in the box, or the file named by `from` is not known',
    },
    412: { description: 'The charts have changed since the file that If-Match names was begun' },
    413: { description: 'Larger than the plan of the account permits; `limitBytes` says how much' },
    416: { description: 'The range begins beyond the end of the file' },
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
