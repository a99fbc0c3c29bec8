// Serves /metrics at the public address, and decides who can read it.

import { type ClientRequest, isWithin, type readRanges } from './forwarded.ts';

/**
 * Only addresses in `METRICS_FROM` have access. A request that an untrusted proxy forwards is refused, even if the
 * address of the proxy is in the list.
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
