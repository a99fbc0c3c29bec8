// The progress of a job as server-sent events. Each query of the database is short; between two of them
// the stream holds nothing.

import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { ChartJob } from '../../../shared/contract/charts.ts';
import type { AppContext } from '../http/endpoint.ts';
import { ApiError } from '../runtime/errors.ts';
import { withoutExpired } from '../runtime/periods.ts';
import { accountOf } from './receive-charts.ts';

interface Pace {
  readonly everyMs: number;
  /** Queries of one stream; then the client connects again. The platform limits the queries of a request. */
  readonly most: number;
}
const PACE: Pace = { everyMs: 1000, most: 40 };
/** Streams of one isolate. */
const MAX_STREAMS = 100;
const MAX_PER_ACCOUNT = 20;
/** Longer than a stream. The runtime drops the work of a client that disconnects without notice. */
const LEASE_MS = 90_000;

interface Lease {
  readonly account: string;
  readonly until: number;
}
/** Cache: the open streams. */
const streams = new Set<Lease>();

const isOver = ({ jobState }: ChartJob): boolean =>
  jobState !== 'pending' && jobState !== 'processing';

/**
 * Sends a job now and after each change, until it ends. @param job its state now. @param read its state later;
 * an error ends the stream
 * @throws ApiError 429
 */
export function followJob(
  c: AppContext,
  job: ChartJob,
  read: () => Promise<ChartJob>,
  pace = PACE,
): Response {
  // The client knows the end already. With this status, it does not connect again (HTML, 9.2.3).
  if (isOver(job) && c.req.header('last-event-id') === `${job.updatedAt}`) return c.body(null, 204);
  const lease = enter(accountOf(c));
  const response = streamSSE(c, async (stream) => {
    try {
      if (c.req.method !== 'HEAD') await sendChanges(stream, job, read, pace);
    } catch {
      // The client connects again, and gets the error as a response.
    } finally {
      streams.delete(lease);
    }
  });
  // The platform sets these itself.
  for (const name of ['connection', 'transfer-encoding']) response.headers.delete(name);
  response.headers.set('cache-control', 'no-store');
  // nginx collects a response before it sends it, unless this header is set.
  response.headers.set('x-accel-buffering', 'no');
  return response;
}

/** @throws ApiError 429 */
function enter(account: string): Lease {
  const open = [...withoutExpired(streams, LEASE_MS)];
  const own = open.filter((one) => one.account === account);
  if (open.length >= MAX_STREAMS || own.length >= MAX_PER_ACCOUNT)
    throw new ApiError('too_many_at_once');
  const lease = { account, until: Date.now() + LEASE_MS };
  streams.add(lease);
  return lease;
}

async function sendChanges(
  stream: SSEStreamingApi,
  first: ChartJob,
  read: () => Promise<ChartJob>,
  { everyMs, most }: Pace,
): Promise<void> {
  let job = first;
  let sent = -1;
  for (let queries = 0; !stream.aborted; queries++) {
    const id = `${job.updatedAt}`;
    if (job.updatedAt === sent) await stream.write(':\n\n');
    else await stream.writeSSE({ event: 'job', id, retry: everyMs, data: JSON.stringify(job) });
    sent = job.updatedAt;
    if (isOver(job) || queries === most) return;
    await stream.sleep(everyMs);
    if (!stream.aborted) job = await read();
  }
}
