// Counts requests by token, day and kind in memory and writes the counts to the database after a
// response. No request waits for it or fails because of it.
//
// If the platform terminates an isolate, the counts since its last report are lost (at most
// USAGE_FLUSH_MS, or the time during which the database was unavailable). Nothing is counted twice.
// Without requests nothing is written, so the database can sleep.

import { addUsage, type Count } from '../db/usage-store.ts';
import type { Tag } from '../http/openapi-tags.ts';
import type { Caller } from '../identity/auth.ts';
import { type Env, hasDatabase, settingsOf } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { isUnexpired } from '../runtime/periods.ts';

/** Maximum number of counters while the database is unavailable. */
const MAX_ENTRIES = 10_000;
/** A report that is this late was cancelled with its request. */
const OVERDUE_MS = 30_000;
/** The platform ends work after a response after 30 s; longer intervals use a later request. */
const MAX_BEHIND_MS = 25_000;
/** The database recognizes a repeated report for an hour. */
const REPORT_LIFE_MS = 30 * 60_000;

interface Report {
  readonly id: string;
  readonly counts: readonly Count[];
  readonly madeAt: number;
}

interface Counter {
  counts: Map<string, { -readonly [field in keyof Count]: Count[field] }>;
  dueAt: number | undefined;
  /** Sent, with an unknown outcome. */
  unconfirmed: Report | undefined;
}

/** Cache: counts of this isolate, per deployment. */
const counters = new WeakMap<Env, Counter>();

type Defer = (work: Promise<unknown>) => void;

/** A request with its response. */
export interface Answered {
  readonly kind: Tag;
  readonly status: number;
}

/** Counts a request with a valid token. */
export function countRequest(
  env: Env,
  caller: Caller,
  answered: Answered,
  nowMs: number,
  defer: Defer,
): void {
  const { usageCounting, usageFlushMs } = settingsOf(env);
  if (!usageCounting || !hasDatabase(env)) return;
  const counter = counters.get(env) ?? {
    counts: new Map(),
    dueAt: undefined,
    unconfirmed: undefined,
  };
  counters.set(env, counter);
  add(counter, caller, answered, new Date(nowMs).toISOString().slice(0, 10));
  if (usageFlushMs > MAX_BEHIND_MS) {
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

function add(
  { counts }: Counter,
  { tokenId, account }: Caller,
  { kind, status }: Answered,
  day: string,
): void {
  const key = `${day}${kind} ${tokenId}`;
  const count = counts.get(key) ?? {
    ...{ day, tokenId, account, kind },
    ...{ requests: 0, refused: 0, failed: 0 },
  };
  if (!counts.has(key) && counts.size >= MAX_ENTRIES) return;
  counts.set(key, count);
  count.requests++;
  if (status >= 500) count.failed++;
  else if (status >= 400) count.refused++;
}

async function reportLater(env: Env, counter: Counter, delayMs: number): Promise<void> {
  await new Promise((done) => setTimeout(done, delayMs));
  await report(env, counter);
}

async function report(env: Env, counter: Counter): Promise<void> {
  counter.dueAt = undefined;
  try {
    if (counter.unconfirmed !== undefined) await send(env, counter, counter.unconfirmed);
    // Another request may be sending the next report. Two unconfirmed reports cannot be kept.
    if (counter.unconfirmed === undefined && counter.counts.size > 0)
      await send(env, counter, takeReport(counter));
  } catch (error) {
    // The failure of the database has been logged; the next request retries.
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
  if (isTooOld)
    logFault(
      'usage',
      new Error(
        `${report.counts.length} counts are discarded: the database was unavailable for too long`,
      ),
    );
  else await addUsage(env, report.id, report.counts);
  // Another request may have sent this report and started the next one.
  if (counter.unconfirmed === report) counter.unconfirmed = undefined;
}
