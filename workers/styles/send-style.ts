// A style document on its way to the client.

import type { AppContext } from '../http/endpoint.ts';
import { namesTag } from '../http/etag.ts';
import type { StyleDocument } from './style-documents.ts';

/** A saved style may change at any time; charts change weekly. */
const MAX_AGE_SECONDS = { saved: 10, plain: 300 } as const;

/** A document that holds the caller's token is kept nowhere; others by their client alone. */
export function sendStyle(
  c: AppContext,
  { text, etag }: StyleDocument,
  kind: keyof typeof MAX_AGE_SECONDS = 'plain',
): Response {
  const holdsToken = c.get('caller')?.queryToken !== undefined;
  const seconds = MAX_AGE_SECONDS[kind];
  const headers = {
    'cache-control': holdsToken
      ? 'private, no-store'
      : `private, max-age=${seconds}, stale-while-revalidate=${2 * seconds}`,
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
