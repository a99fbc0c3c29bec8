// Database queries with a time limit and retries. An unavailable server is not queried repeatedly,
// and results in 503, never 500. A write reports whether it was done, certainly not done, or
// unknown.

import type { Env } from '../runtime/env.ts';
import { ApiError } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { observeQuery } from '../runtime/observe.ts';
import type { RefusalCode } from '../runtime/refusals.ts';
import { type Database, openDatabase } from './client.ts';
import { isResting, noteAnswer, noteSilence } from './database-health.ts';
import { faultKind, isWithoutEffect } from './faults.ts';
import { type WriteTransaction, writeTransaction } from './write-transaction.ts';

/** All attempts together. */
export const DATABASE_LIMIT_MS = 2500;
const READ_ATTEMPTS = 3;
const WRITE_ATTEMPTS = 2;
const PAUSE_MS = { least: 50, most: 200 } as const;
/** Time limit for checking whether the server is available. */
const IS_THERE_MS = 1000;

interface AskOptions {
  readonly limitMs?: number;
}

/** Reads with retries. @throws ApiError 503 */
export const readDatabase = <T>(
  env: Env,
  query: (database: Database) => Promise<T>,
  { limitMs = DATABASE_LIMIT_MS }: AskOptions = {},
) => ask(env, { attempts: READ_ATTEMPTS, limitMs, isWrite: false }, query);

/**
 * Runs a write transaction. It may run twice, because the first response may be lost after the
 * commit; the second run must have the same outcome.
 * @throws ApiError 503 `database_unavailable` if nothing was or will be changed; 503
 *   `outcome_unknown` if that is unknown; 401 if `require_standing` rejects the token
 */
export const writeDatabase = <T>(
  env: Env,
  write: (transaction: WriteTransaction) => Promise<T>,
  { limitMs = DATABASE_LIMIT_MS }: AskOptions = {},
) =>
  ask(env, { attempts: WRITE_ATTEMPTS, limitMs, isWrite: true }, (database, leftMs) =>
    write(writeTransaction(database, leftMs)),
  );

interface Limits {
  readonly attempts: number;
  readonly limitMs: number;
  readonly isWrite: boolean;
}

type Query<T> = (database: Database, leftMs: number) => Promise<T>;

async function ask<T>(env: Env, limits: Limits, query: Query<T>): Promise<T> {
  if (isResting(env, Date.now())) {
    observeQuery(env, 'resting', 0);
    throw new ApiError('database_unavailable');
  }
  const finished = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(limits.limitMs), finished.signal]);
  const database = openDatabase(env, signal);
  if (database === undefined) throw new ApiError('database_unavailable');
  try {
    return await attempt(env, limits, query, database, signal);
  } finally {
    finished.abort();
  }
}

async function attempt<T>(
  env: Env,
  { attempts, limitMs, isWrite }: Limits,
  query: Query<T>,
  database: Database,
  signal: AbortSignal,
): Promise<T> {
  const startedAt = Date.now();
  const leftMs = () => startedAt + limitMs - Date.now();
  const end = (outcome: 'answered' | 'refused' | 'failed') =>
    observeQuery(env, outcome, Date.now() - startedAt);
  /** Whether an attempt to write has an unknown outcome. */
  let isOpen = false;
  const refusal = (certain: RefusalCode) => new ApiError(isOpen ? 'outcome_unknown' : certain);
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await query(database, leftMs());
      noteAnswer(env, Date.now());
      end('answered');
      return answer;
    } catch (error) {
      const kind = faultKind(error);
      if (kind !== 'away' && kind !== 'ours') noteAnswer(env, Date.now());
      if (kind === 'ours' || kind === 'answer') {
        end('refused');
        throw error;
      }
      if (isWrite && !isWithoutEffect(error)) isOpen = true;
      if (kind === 'stopped') throw refusal('token_invalid');
      if (kind === 'away') await noteSilence(env, () => isThere(env));
      const pauseMs = PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least);
      const isLate = signal.aborted || leftMs() <= pauseMs;
      if (kind === 'unprepared' || attempt >= attempts || isLate) {
        end('failed');
        logFault('database', error);
        throw refusal('database_unavailable');
      }
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }
}

/** Whether the server responds, even with an error. */
async function isThere(env: Env): Promise<boolean> {
  try {
    await openDatabase(env, AbortSignal.timeout(IS_THERE_MS))?.$client.query('SELECT 1');
    return true;
  } catch (error) {
    return faultKind(error) !== 'away';
  }
}
