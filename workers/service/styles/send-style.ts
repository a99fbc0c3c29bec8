// Sends a style document.

import { acceptsGzip } from '../http/accepted-codings.ts';
import type { AppContext } from '../http/endpoint.ts';
import { matchesEtag } from '../http/etag.ts';
import { closingHeaders } from '../http/response-headers.ts';
import type { StyleDocument } from './style-documents.ts';

/** A saved style may change at any time; charts change weekly. */
const CACHING = {
  saved: 'private, max-age=10',
  plain: 'private, max-age=300, stale-while-revalidate=600',
} as const;

const VARY = 'Authorization, Accept-Encoding';

/** A document that contains a token must not be cached. Only the client may cache others. */
export async function sendStyle(
  c: AppContext,
  { bytes, gzipped, etag }: StyleDocument,
  kind: keyof typeof CACHING = 'plain',
): Promise<Response> {
  const holdsToken = c.get('caller')?.queryToken !== undefined;
  const headers = {
    'cache-control': holdsToken ? 'private, no-store' : CACHING[kind],
    etag,
    vary: VARY,
  };
  if (matchesEtag(c.req.header('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const all = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    ...closingHeaders(c, VARY),
  };
  if (!acceptsGzip(c.req.header('accept-encoding'))) {
    return new Response(bytes as BodyInit, { headers: all });
  }
  const body = (await gzipped()) as BodyInit;
  return new Response(body, {
    headers: { ...all, 'content-encoding': 'gzip' },
    encodeBody: 'manual',
  });
}
