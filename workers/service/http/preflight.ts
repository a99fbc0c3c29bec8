/** The response to an OPTIONS request (CORS preflight). @param allowed methods of the path */
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
