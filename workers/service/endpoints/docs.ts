// GET /openapi.json and /docs

import * as z from 'zod';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
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
  const all: Endpoint[] = [...endpoints, openApiDocument(documentFor), docsPage];
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
    200: jsonAnswer(
      'OpenAPI 3.1',
      z
        .record(z.string(), z.unknown())
        .meta({ id: 'OpenApi', description: 'An OpenAPI 3.1 document' }),
    ),
  },
  handle: (c) => {
    c.header('cache-control', 'public, max-age=300');
    return c.json(documentFor(c.req.url));
  },
});

const docsPage: Endpoint = {
  method: 'get',
  path: '/docs',
  id: 'getDocs',
  summary: 'Returns the API reference as an HTML page.',
  description:
    'The page shows /openapi.json, sends requests with the token of the reader, and lists the error codes.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: { 200: { description: 'A page', contentType: 'text/html' } },
  handle: (c) => {
    const headers = { ...pageHeaders('reference'), 'cache-control': 'public, max-age=300' };
    return c.html(referencePage(), 200, headers);
  },
};
