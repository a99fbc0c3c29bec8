// A style document on its way to the client.

import type { AppContext } from '../http/endpoint.ts';
import { namesTag } from '../http/etag.ts';
import type { StyleDocument } from './style-documents.ts';

/** A saved style may change at any time; charts change weekly. */
const MAX_AGE_SECONDS = { saved: 10, plain: 300 } as const;

/**
 * Shared caches may keep a document whose address holds the token; one that was opened by a header
 * would open for everybody.
 */
export function sendStyle(
  c: AppContext,
  { text, etag }: StyleDocument,
  kind: keyof typeof MAX_AGE_SECONDS = 'plain',
): Response {
  const scope = c.get('caller')?.queryToken === undefined ? 'private' : 'public';
  const headers = {
    'cache-control': `${scope}, max-age=${MAX_AGE_SECONDS[kind]}, stale-while-revalidate=${2 * MAX_AGE_SECONDS[kind]}`,
    etag,
    vary: 'Authorization',
  };
  const wanted = c.req.header('if-none-match');
  if (wanted !== undefined && (wanted.trim() === '*' || namesTag(wanted, etag))) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  });
}
