// Forwards heavy requests to a separate Worker: routes and soundings need seconds and much memory,
// which would slow down the Worker that serves tiles. This Worker authenticates the caller and
// applies rate limits. The other Worker trusts this one, because it can only be reached through
// a binding.

import * as z from 'zod';
import type { Caller } from '../identity/auth.ts';
import type { Env, Settings } from '../runtime/env.ts';
import type { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { observeQuery } from '../runtime/observe.ts';
import type { QueryOutcome } from '../runtime/observer.ts';
import type { AppContext, Endpoint } from './endpoint.ts';

/** Request header with a `HeavyRequest`, as percent-encoded JSON. */
const ORDER_HEADER = 'leadline-heavy-order';
/** Response header with a `HeavyReport`, as percent-encoded JSON. */
const REPORT_HEADER = 'leadline-heavy-report';

/** Context of a request for the other Worker. */
export interface HeavyRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly settings: Settings;
  /** The idempotency key, if the client sends none. */
  readonly writeKey: string;
}

/** Cost and outcome of a request in the other Worker. */
export interface HeavyReport {
  readonly bucketReads: number;
  /** Source of the response: memory, edge or bucket. */
  readonly from: string;
  /** The `code` of the error response. */
  readonly refusal: string | undefined;
  /** Database queries, for the metrics of this Worker. */
  readonly questions: readonly (readonly [outcome: QueryOutcome, ms: number])[];
}

const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/** @throws Error if the text is not a result of `encoded` */
const decoded = (text: string): unknown => JSON.parse(decodeURIComponent(text));

/** Whether requests to an endpoint are forwarded. */
export const isForwarded = (env: Env, endpoint: Endpoint): boolean =>
  endpoint.heavyWorkerFailed !== undefined && env.HEAVY_WORK !== undefined;

/**
 * Forwards a request, streaming its body, and records the cost of the work.
 * @throws ApiError `heavyWorkerFailed` of the endpoint if the other Worker fails
 */
export async function forwardToHeavyWorker(
  c: AppContext,
  endpoint: Endpoint,
  caller: Caller,
): Promise<Response> {
  const { raw } = c.req;
  const writeKey = crypto.randomUUID();
  c.set('writeKey', writeKey);
  const { queryToken: _, ...named } = caller;
  const order = {
    requestId: c.get('requestId'),
    caller: { ...named, scopes: [...caller.scopes] },
    settings: c.get('settings'),
    writeKey,
  };
  const headers = new Headers(raw.headers);
  // Replaces a header that a client may have sent.
  headers.set(ORDER_HEADER, encoded(order));
  let answer: Response;
  let report: HeavyReport;
  try {
    answer = await (c.env.HEAVY_WORK as Fetcher).fetch(new Request(raw, { headers }));
    report = readReport(answer.headers.get(REPORT_HEADER));
  } catch (error) {
    logFault('heavy work', error);
    throw (endpoint.heavyWorkerFailed as (c: AppContext) => ApiError)(c);
  }
  const cost = c.get('cost');
  cost.bucketReads += report.bucketReads;
  cost.from = report.from;
  c.set('refusal', report.refusal);
  for (const [outcome, ms] of report.questions) observeQuery(c.env, outcome, ms);
  const response = new Response(answer.body, answer);
  response.headers.delete(REPORT_HEADER);
  return response;
}

const reportSchema = z.object({
  bucketReads: z.number(),
  from: z.string(),
  refusal: z.string().optional(),
  questions: z.array(z.tuple([z.enum(['answered', 'refused', 'failed', 'resting']), z.number()])),
});

/** @throws Error if the response has no valid report */
function readReport(text: string | null): HeavyReport {
  if (text === null) {
    throw new Error(
      `The Worker for heavy work sent no ${REPORT_HEADER} header; deploy the same version of both Workers.`,
    );
  }
  const { refusal, ...rest } = reportSchema.parse(decoded(text));
  return { ...rest, refusal };
}

/** The context of a forwarded request; `undefined` if the header is missing. */
export function readHeavyRequest(request: Request): HeavyRequest | undefined {
  const text = request.headers.get(ORDER_HEADER);
  if (text === null) return undefined;
  // Not validated: the same code wrote it on the other side of the binding.
  const order = decoded(text) as HeavyRequest & { readonly caller: { readonly scopes: unknown } };
  return { ...order, caller: { ...order.caller, scopes: new Set(order.caller.scopes) } };
}

/** Adds the report to a response. */
export function withHeavyReport(answer: Response, report: HeavyReport): Response {
  const response = new Response(answer.body, answer);
  response.headers.set(REPORT_HEADER, encoded(report));
  return response;
}
