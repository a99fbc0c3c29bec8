// Who may read /metrics at the public address, and how it is answered.

import { type ClientRequest, isWithin, type readRanges } from './forwarded.ts';

/**
 * Those at the addresses that the operator named. What a proxy forwards that is not named as trusted
 * is not taken for the proxy's own asking.
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
