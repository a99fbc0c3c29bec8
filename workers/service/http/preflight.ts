/**
 * The response to an OPTIONS request (CORS preflight).
 * @param allowed methods of the path
 * @param more further headers
 */
export const preflight = (
  allowed: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Response =>
  new Response(null, {
    status: 204,
    headers: {
      allow: allowed.join(', '),
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Idempotency-Key, Last-Event-ID, Leadline-User, Range, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override',
      'access-control-max-age': '86400',
      ...more,
    },
  });
