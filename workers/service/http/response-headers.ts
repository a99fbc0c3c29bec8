// Headers are plain objects until the response is created. Each change of a Headers object calls
// out of the JavaScript engine, which took most of the time of a cached tile.

import type { AppContext } from './endpoint.ts';
import type { RateLimitState } from './minute-counter.ts';

export type PlainHeaders = Readonly<Record<string, string>>;

export const EXPOSED =
  'Accept-Ranges, Content-Range, ETag, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, Server-Timing';
/** Its presence shows that a response has its closing headers. */
export const LAST_HEADER = 'server-timing';

/**
 * Headers of every response, including errors, which a map must be able to read.
 * @param vary other request headers that the response depends on (RFC 9110, section 12.5.5)
 */
export function closingHeaders(c: AppContext, vary?: string): PlainHeaders {
  const ms = Date.now() - c.get('startedAt');
  // The response to a token with restricted origins depends on the origin.
  const caller = c.get('caller');
  const origin = caller?.isRestrictedToOrigins === true ? 'Origin' : undefined;
  // The response to a token whose account has its own charts depends on the token.
  const token = caller?.chartSet === undefined ? undefined : 'Authorization';
  const all = [vary, origin, token].filter((name) => name !== undefined).join(', ');
  return {
    'x-request-id': c.get('requestId'),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    // Pages that require this header (COEP) can use the charts.
    ...(c.req.path.startsWith('/api/portal/')
      ? {}
      : { 'cross-origin-resource-policy': 'cross-origin' }),
    'x-content-type-options': 'nosniff',
    // Without `Origin`, requests of the service's own pages need `Referer`.
    'referrer-policy': 'same-origin',
    ...rateLimitHeaders(c.get('rateLimit')),
    ...(all === '' ? {} : { vary: all }),
    ...c.get('commonHeaders'),
    [LAST_HEADER]: `total;dur=${ms}, r2;desc="${c.get('cost').bucketReads} reads"`,
  };
}

/** The platform's rate limiter reports only that a limit is exceeded. */
function rateLimitHeaders(state: RateLimitState | undefined): PlainHeaders {
  if (state === undefined) return {};
  const { limit, remaining, resetSeconds } = state;
  return {
    'ratelimit-limit': `${limit}`,
    ...(remaining === undefined ? {} : { 'ratelimit-remaining': `${remaining}` }),
    ...(resetSeconds === undefined ? {} : { 'ratelimit-reset': `${resetSeconds}` }),
  };
}
