// Serves /metrics at the public address, and decides who can read it.

import { type ClientRequest, isWithin, type readRanges } from './forwarded.ts';

/**
 * Only addresses that the operator configured have access. A request that an untrusted proxy
 * forwards is not treated as a request of the proxy itself.
 */
export function isMetricsReader(
  request: Request,
  { client, isByTrusted }: ClientRequest,
  readers: NonNullable<ReturnType<typeof readRanges>>,
): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some(
    (name) => request.headers.has(name),
  );
  return isRead && (isByTrusted || !isForwarded) && isWithin(client, readers);
}

export const metricsAnswer = (text: string): Response =>
  new Response(text, {
    headers: {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
