// Headers as plain objects until the response is made: each change of a Headers object leaves the
// script engine, and on a warm tile that was most of the work.

import type { AppContext } from './endpoint.ts';
import type { RateLimitState } from './rate-limit.ts';

export type PlainHeaders = Readonly<Record<string, string>>;

const EXPOSED =
  'Accept-Ranges, Content-Range, ETag, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, Server-Timing';
/** Tells that a response has its closing headers. */
export const LAST_HEADER = 'server-timing';

/**
 * Headers of every answer, whatever its status: a map must be able to read a refusal.
 * @param vary what else of a request the answer depends on (RFC 9110, section 12.5.5)
 */
export function closingHeaders(c: AppContext, vary?: string): PlainHeaders {
  const ms = Date.now() - c.get('startedAt');
  // With a token that is for some origins alone, another origin's answer is another one.
  const origin = c.get('caller')?.isForOrigins === true ? 'Origin' : undefined;
  const all = [vary, origin].filter((name) => name !== undefined).join(', ');
  return {
    'x-request-id': c.get('requestId'),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...rateLimitHeaders(c.get('rateLimit')),
    ...(all === '' ? {} : { vary: all }),
    [LAST_HEADER]: `total;dur=${ms}, r2;desc="${c.get('cost').bucketReads} reads"`,
  };
}

/** What is known of the limit: at the edge the platform tells only that it was reached. */
function rateLimitHeaders(state: RateLimitState | undefined): PlainHeaders {
  if (state === undefined) return {};
  const { limit, remaining, resetSeconds } = state;
  return {
    'ratelimit-limit': `${limit}`,
    ...(remaining === undefined ? {} : { 'ratelimit-remaining': `${remaining}` }),
    ...(resetSeconds === undefined ? {} : { 'ratelimit-reset': `${resetSeconds}` }),
  };
}
