// Heavy work handed to a Worker of its own: routes and soundings take seconds and megabytes, which are
// then not those of the Worker that serves tiles. Who asks, and how often, is looked at before; the other
// Worker is reached by a binding alone, so it believes what it is told here.

import * as z from 'zod';
import type { Caller } from '../identity/auth.ts';
import type { Env, Settings } from '../runtime/env.ts';
import type { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { observeQuery, type QueryOutcome } from '../runtime/observe.ts';
import type { AppContext, Endpoint } from './endpoint.ts';

/** Of a request to the other Worker: what is known of it, as JSON, percent-encoded. */
const ORDER_HEADER = 'leadline-heavy-order';
/** Of its answer: what the work cost. */
const REPORT_HEADER = 'leadline-heavy-report';

/** What the other Worker is told beside the request. */
export interface HeavyRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly settings: Settings;
  readonly writeKey: string;
}

/** What it tells beside its answer. */
export interface HeavyReport {
  readonly bucketReads: number;
  readonly from: string;
  /** Code of the refusal that it ended with. */
  readonly refusal: string | undefined;
  /** Questions to the database, where they are counted by who ordered. */
  readonly questions: readonly (readonly [outcome: QueryOutcome, ms: number])[];
}

const packed = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

/** @throws for what was not packed */
const unpacked = (text: string): unknown => JSON.parse(decodeURIComponent(text));

/** Whether somebody else does an endpoint's work here. */
export const isForwarded = (env: Env, endpoint: Endpoint): boolean =>
  endpoint.heavyWorkerFailed !== undefined && env.HEAVY_WORK !== undefined;

/**
 * The answer of the other Worker, as if it had been made here: the same body streams through, and what
 * the work cost is noted. @throws ApiError as the endpoint says where that Worker fails
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
  // Whatever a client wrote there.
  headers.set(ORDER_HEADER, packed(order));
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
  const own = new Response(answer.body, answer);
  own.headers.delete(REPORT_HEADER);
  return own;
}

const reportSchema = z.object({
  bucketReads: z.number(),
  from: z.string(),
  refusal: z.string().optional(),
  questions: z.array(z.tuple([z.enum(['answered', 'refused', 'failed', 'resting']), z.number()])),
});

/** @throws Error for an answer that is not of a Worker that did the work */
function readReport(text: string | null): HeavyReport {
  if (text === null) throw new Error('The Worker for heavy work did not take the order.');
  const { refusal, ...rest } = reportSchema.parse(unpacked(text));
  return { ...rest, refusal };
}

/** The order of a request; undefined where it is none. */
export function readHeavyRequest(request: Request): HeavyRequest | undefined {
  const text = request.headers.get(ORDER_HEADER);
  if (text === null) return undefined;
  // Told by the same code on the other side of the binding.
  const order = unpacked(text) as HeavyRequest & { readonly caller: { readonly scopes: unknown } };
  return { ...order, caller: { ...order.caller, scopes: new Set(order.caller.scopes) } };
}

/** The answer with what its work cost. */
export function withHeavyReport(answer: Response, report: HeavyReport): Response {
  const own = new Response(answer.body, answer);
  own.headers.set(REPORT_HEADER, packed(report));
  return own;
}
