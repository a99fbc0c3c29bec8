// GET /openapi.json and /docs

import * as z from 'zod';
import { acceptsGzip } from '../http/accepted-codings.ts';
import { type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { openApi } from '../http/openapi.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { limitNetwork } from '../http/rate-limit.ts';
import { referencePage } from '../http/reference-page.ts';
import { gzip } from '../runtime/gzip.ts';

/** Stands for the origin of the service, which differs between deployments and their names. */
const ORIGIN = 'https://origin-of-the-service.invalid';

/** Adds the two endpoints that describe all endpoints, including themselves. */
export function withDocs(endpoints: readonly Endpoint[]): Endpoint[] {
  let text: string | undefined;
  const documentFor = (origin: string): string => {
    text ??= JSON.stringify(openApi(all, ORIGIN));
    return text.replaceAll(ORIGIN, origin);
  };
  const all: Endpoint[] = [...endpoints, openApiDocument(documentFor), docsPage];
  return all;
}

const encoder = new TextEncoder();
/** Cache: the compressed document for the last origin. */
let last: { readonly origin: string; readonly packed: Uint8Array } | undefined;

const openApiDocument = (documentFor: (origin: string) => string): Endpoint => ({
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
    429: { description: 'Too many requests with other host names', error: 'too_many_requests' },
  },
  handle: async (c) => {
    const headers = {
      'cache-control': 'public, max-age=300',
      'content-type': 'application/json',
      vary: 'Accept-Encoding',
    };
    const { origin } = new URL(c.req.url);
    if (!acceptsGzip(c.req.header('accept-encoding'))) {
      return c.body(documentFor(origin), 200, headers);
    }
    let document = last;
    if (document?.origin !== origin) {
      // Any host name in a request is another origin.
      await limitNetwork(c);
      document = { origin, packed: await gzip(encoder.encode(documentFor(origin))) };
      last = document;
    }
    return new Response(document.packed as BodyInit, {
      headers: { ...headers, 'content-encoding': 'gzip' },
      encodeBody: 'manual',
    });
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
