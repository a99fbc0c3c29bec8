// Requests counted per token and day: added up in the isolate's memory, sent to the database behind
// some answer, a while later. No request waits for it, and none fails by it.
//
// What may be lost: what an isolate counted since its last report, when the platform ends it (at most
// USAGE_FLUSH_MS of requests, or as long as the database is away). Nothing is counted twice. Where
// no request comes, nothing is written; where charts alone are asked for, it is written as seldom as
// USAGE_FLUSH_MS says, so that a database that sleeps may go on sleeping.

import { addUsage, type Count } from '../db/usage-store.ts';
import type { Caller } from '../identity/auth.ts';
import { type Env, settingsOf } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { isUnexpired } from '../runtime/periods.ts';

/** Tokens by day that are counted at once; while the database is away, more are not. */
const MAX_ENTRIES = 10_000;
/** A report that is this much overdue went with the request that was to send it. */
const OVERDUE_MS = 30_000;
/** Work behind an answer is ended by the platform after 30 s: what waits longer goes with a request. */
const MOST_BEHIND_MS = 25_000;
/** The database knows a report again for an hour: an older one might count twice. */
const REPORT_LIFE_MS = 30 * 60_000;

interface Report {
  readonly id: string;
  readonly counts: readonly Count[];
  readonly madeAt: number;
}

interface Counter {
  counts: Map<string, { -readonly [field in keyof Count]: Count[field] }>;
  dueAt: number | undefined;
  /** Sent, and it is unknown whether it arrived. */
  unconfirmed: Report | undefined;
}

/** A cache named as one: what this isolate counted, per deployment. */
const counters = new WeakMap<Env, Counter>();

type Defer = (work: Promise<unknown>) => void;

/** Count a request whose token was accepted. */
export function countRequest(env: Env, caller: Caller, nowMs: number, defer: Defer): void {
  const { usageCounting, usageFlushMs } = settingsOf(env);
  if (!usageCounting || env.DATABASE_URL === undefined || env.DATABASE_URL === '') return;
  const counter = counters.get(env) ?? {
    counts: new Map(),
    dueAt: undefined,
    unconfirmed: undefined,
  };
  counters.set(env, counter);
  const { tokenId, account } = caller;
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const known = counter.counts.get(day + tokenId);
  if (known !== undefined) known.requests++;
  else if (counter.counts.size < MAX_ENTRIES) {
    counter.counts.set(day + tokenId, { day, tokenId, account, requests: 1 });
  }
  if (usageFlushMs > MOST_BEHIND_MS) {
    counter.dueAt ??= nowMs + usageFlushMs;
    if (!isUnexpired(nowMs, counter.dueAt, usageFlushMs)) defer(report(env, counter));
    return;
  }
  const isUnderWay =
    counter.dueAt !== undefined &&
    isUnexpired(nowMs, counter.dueAt + OVERDUE_MS, usageFlushMs + OVERDUE_MS);
  if (isUnderWay) return;
  counter.dueAt = nowMs + usageFlushMs;
  defer(reportLater(env, counter, usageFlushMs));
}

async function reportLater(env: Env, counter: Counter, delayMs: number): Promise<void> {
  await new Promise((done) => setTimeout(done, delayMs));
  await report(env, counter);
}

async function report(env: Env, counter: Counter): Promise<void> {
  counter.dueAt = undefined;
  try {
    if (counter.unconfirmed !== undefined) await send(env, counter, counter.unconfirmed);
    if (counter.counts.size > 0) await send(env, counter, takeReport(counter));
  } catch (error) {
    // A database that is away has been logged; the next request tries again.
    if (!(error instanceof ApiError)) logFault('usage', error);
  }
}

function takeReport(counter: Counter): Report {
  const counts = [...counter.counts.values()];
  counter.counts = new Map();
  return { id: crypto.randomUUID(), counts, madeAt: Date.now() };
}

async function send(env: Env, counter: Counter, report: Report): Promise<void> {
  counter.unconfirmed = report;
  const isTooOld = Date.now() - report.madeAt > REPORT_LIFE_MS;
  if (isTooOld) logFault('usage', new Error(`${report.counts.length} counts are given up`));
  else await addUsage(env, report.id, report.counts);
  // Another request may have sent it as well, and gone on to the next.
  if (counter.unconfirmed === report) counter.unconfirmed = undefined;
}
