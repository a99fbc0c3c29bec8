// A question to the database, within limits: no request waits longer than a client would, a server
// that is away is not asked again and again, and its absence is 503, never a 500. A write is answered
// with what is true of it: done, certainly not done, or that this is not known.

import type { Env } from '../runtime/env.ts';
import { type ApiError, databaseUnavailable, outcomeUnknown } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { observeQuery } from '../runtime/observe.ts';
import { tokenInvalid } from '../runtime/token-errors.ts';
import { type Database, openDatabase } from './client.ts';
import { isResting, noteAnswer, noteSilence } from './database-health.ts';
import { faultKind, isWithoutEffect } from './faults.ts';
import { type WriteTransaction, writeTransaction } from './write-transaction.ts';

/** All attempts together. */
export const DATABASE_LIMIT_MS = 2500;
const READ_ATTEMPTS = 3;
const WRITE_ATTEMPTS = 2;
const PAUSE_MS = { least: 50, most: 200 } as const;
/** To learn whether the server is there at all. */
const IS_THERE_MS = 1000;

interface AskOptions {
  readonly limitMs?: number;
}

/** Read, again where the first attempt did not get through. @throws ApiError 503 */
export const readDatabase = <T>(
  env: Env,
  question: (database: Database) => Promise<T>,
  { limitMs = DATABASE_LIMIT_MS }: AskOptions = {},
) => ask(env, { attempts: READ_ATTEMPTS, limitMs, isWrite: false }, question);

/**
 * Change something by a transaction that may be put twice, as its first answer may be lost after the
 * change was made: the second must find the same outcome.
 * @throws ApiError 503 `database_unavailable` where nothing was changed, nor will be; 503
 *   `outcome_unknown` where that is not known; 401 for a token that `require_standing` stops
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

async function ask<T>(
  env: Env,
  { attempts, limitMs, isWrite }: Limits,
  question: (database: Database, leftMs: number) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  if (isResting(env, startedAt)) {
    observeQuery(env, 'resting', 0);
    throw databaseUnavailable();
  }
  const signal = AbortSignal.timeout(limitMs);
  const database = openDatabase(env, signal);
  if (database === undefined) throw databaseUnavailable();
  const leftMs = () => startedAt + limitMs - Date.now();
  const end = (outcome: 'answered' | 'refused' | 'failed') =>
    observeQuery(env, outcome, Date.now() - startedAt);
  /** An attempt to write whose end did not become known. */
  let isOpen = false;
  const refusal = (certain: () => ApiError) => (isOpen ? outcomeUnknown() : certain());
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await question(database, leftMs());
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
      if (kind === 'stopped') throw refusal(tokenInvalid);
      if (kind === 'away') await noteSilence(env, () => isThere(env));
      const pauseMs = PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least);
      const isLate = signal.aborted || leftMs() <= pauseMs;
      if (kind === 'unprepared' || attempt >= attempts || isLate) {
        end('failed');
        logFault('database', error);
        throw refusal(databaseUnavailable);
      }
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }
}

/** Whether the server answers at all, be it with a refusal. */
async function isThere(env: Env): Promise<boolean> {
  try {
    await openDatabase(env, AbortSignal.timeout(IS_THERE_MS))?.$client.query('SELECT 1');
    return true;
  } catch (error) {
    return faultKind(error) !== 'away';
  }
}
