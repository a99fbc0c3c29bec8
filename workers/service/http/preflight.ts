// What a page of another origin may send, told to its browser before it does.

/** The answer to OPTIONS, which needs no token. @param allowed methods of the address */
export const preflight = (allowed: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      allow: allowed.join(', '),
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Idempotency-Key, Leadline-User, Range',
      'access-control-max-age': '86400',
    },
  });
