// A style document on its way to the client.

import type { StyleDocument } from '../styles/style-documents.ts';
import type { AppContext } from './endpoint.ts';
import { namesTag } from './etag.ts';

/**
 * Shared caches may keep a document whose address holds the token; one that was opened by a header
 * would open for everybody.
 */
export function sendStyle(c: AppContext, { text, etag }: StyleDocument): Response {
  const scope = c.get('caller')?.queryToken === undefined ? 'private' : 'public';
  const headers = {
    'cache-control': `${scope}, max-age=300, stale-while-revalidate=600`,
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
