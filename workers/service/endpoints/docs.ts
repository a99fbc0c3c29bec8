// GET /openapi.json and /docs

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { describeEndpoints, type OpenApi, openApi } from '../http/openapi.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { referencePage } from '../http/reference-page.ts';

/** Adds the two endpoints that describe all endpoints, including themselves. */
export function withDocs(endpoints: readonly Endpoint[]): Endpoint[] {
  let described: ReturnType<typeof describeEndpoints> | undefined;
  const documentFor = (url: string): OpenApi => {
    described ??= describeEndpoints(all);
    return openApi(described, new URL(url).origin);
  };
  const all: Endpoint[] = [...endpoints, openApiDocument(documentFor), docsPage(documentFor)];
  return all;
}

const openApiDocument = (documentFor: (url: string) => OpenApi): Endpoint => ({
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
    return c.json(documentFor(c.req.url));
  },
});

const docsPage = (documentFor: (url: string) => OpenApi): Endpoint => ({
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
    return c.html(referencePage(documentFor(c.req.url)), 200, headers);
  },
});
