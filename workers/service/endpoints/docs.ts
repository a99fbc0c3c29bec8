// GET /openapi.json and /docs: the service described by itself.

import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { openApi } from '../http/openapi.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { referencePage } from '../http/reference-page.ts';

/** The two endpoints that describe a list of endpoints, themselves included. */
export function withDocs(endpoints: readonly Endpoint[]): Endpoint[] {
  const all: Endpoint[] = [...endpoints, openApiDocument(() => all), docsPage(() => all)];
  return all;
}

const openApiDocument = (all: () => readonly Endpoint[]): Endpoint => ({
  method: 'get',
  path: '/openapi.json',
  id: 'getOpenApi',
  summary: 'This service as an OpenAPI 3.1 document.',
  description: 'Made from the endpoints themselves, so that it says what they do.',
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
  summary: 'This service as a page.',
  description: 'The same as /openapi.json for people: every field, and each example as a command.',
  tag: 'Service',
  access: { kind: 'public' },
  answers: { 200: { description: 'A page', contentType: 'text/html' } },
  handle: (c) => {
    const headers = { ...pageHeaders('text'), 'cache-control': 'public, max-age=300' };
    const origin = new URL(c.req.url).origin;
    return c.html(referencePage(openApi(all(), origin)), 200, headers);
  },
});
