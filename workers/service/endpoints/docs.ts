// GET /openapi.json and /docs

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { openApi } from '../http/openapi.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { referencePage } from '../http/reference-page.ts';

/** Adds the two endpoints that describe all endpoints, including themselves. */
export function withDocs(endpoints: readonly Endpoint[]): Endpoint[] {
  const all: Endpoint[] = [...endpoints, openApiDocument(() => all), docsPage(() => all)];
  return all;
}

const openApiDocument = (all: () => readonly Endpoint[]): Endpoint => ({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenApi',
  summary: 'Returns the OpenAPI 3.1 document of this service.',
  description: 'The document is generated from the endpoints.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: {
    200: {
      description: 'OpenAPI 3.1',
      contentType: 'application/json',
      schema: z.record(z.string(), z.unknown()),
    },
  },
  handle: (c) => {
    c.header('cache-control', 'public, max-age=300');
    return c.json(openApi(all(), new URL(c.req.url).origin));
  },
});

const docsPage = (all: () => readonly Endpoint[]): Endpoint => ({
  method: 'get',
  path: '/docs',
  id: 'getDocs',
  summary: 'Returns the API reference as an HTML page.',
  description:
    'The page contains the same information as /openapi.json, with all fields, and an example command for each endpoint.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: { 200: { description: 'A page', contentType: 'text/html' } },
  handle: (c) => {
    const headers = { ...pageHeaders('text'), 'cache-control': 'public, max-age=300' };
    const origin = new URL(c.req.url).origin;
    return c.html(referencePage(openApi(all(), origin)), 200, headers);
  },
});
