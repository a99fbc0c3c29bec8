// A question to the database, within limits: no request waits longer than a client would, a server
// that is away is not asked again and again, and its absence is 503, never a 500.

import type { Env } from '../runtime/env.ts';
import { databaseUnavailable, tokenInvalid } from '../runtime/errors.ts';
import { logFault } from '../runtime/log.ts';
import { observeQuestion } from '../runtime/observe.ts';
import { type Database, openDatabase } from './client.ts';
import { faultKind } from './faults.ts';

/** All attempts together. */
export const DATABASE_LIMIT_MS = 2500;
const READ_ATTEMPTS = 3;
const WRITE_ATTEMPTS = 2;
const PAUSE_MS = { least: 50, most: 200 } as const;
/** After so many failures in a row the database is left alone for a while. */
const FAILURES_TO_REST = 5;
const REST_MS = 5000;

type Question<T> = (database: Database) => Promise<T>;

interface AskOptions {
  readonly limitMs?: number;
}

/** Read, again where the first attempt did not get through. @throws ApiError 503 */
export const readDatabase = <T>(env: Env, question: Question<T>, options: AskOptions = {}) =>
  ask(env, question, READ_ATTEMPTS, options);

/**
 * Change something by a question that may be put twice, as its first answer may be lost after the
 * change was made: the second must find the same outcome. @throws ApiError 503; 401 for a token that `require_standing` stops
 */
export const writeDatabase = <T>(env: Env, question: Question<T>, options: AskOptions = {}) =>
  ask(env, question, WRITE_ATTEMPTS, options);

/** A cache named as one: how the database did lately, per deployment. */
const health = new WeakMap<Env, { failures: number; restUntil: number }>();

async function ask<T>(
  env: Env,
  question: Question<T>,
  attempts: number,
  { limitMs = DATABASE_LIMIT_MS }: AskOptions,
): Promise<T> {
  const state = health.get(env) ?? { failures: 0, restUntil: 0 };
  health.set(env, state);
  const startedAt = Date.now();
  if (state.failures >= FAILURES_TO_REST) {
    if (startedAt < state.restUntil) {
      observeQuestion(env, 'resting', 0);
      throw databaseUnavailable();
    }
    // One question goes to see whether it is back; the others rest on.
    state.restUntil = startedAt + REST_MS;
  }
  const signal = AbortSignal.timeout(limitMs);
  const database = openDatabase(env, signal);
  if (database === undefined) throw databaseUnavailable();
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await question(database);
      state.failures = 0;
      observeQuestion(env, 'answered', Date.now() - startedAt);
      return answer;
    } catch (error) {
      const kind = faultKind(error);
      if (kind === 'ours' || kind === 'answer') {
        observeQuestion(env, 'refused', Date.now() - startedAt);
        throw error;
      }
      if (kind === 'stopped') throw tokenInvalid();
      if (kind === 'away' && ++state.failures >= FAILURES_TO_REST) {
        state.restUntil = Date.now() + REST_MS;
      }
      const pauseMs = PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least);
      const isLate = signal.aborted || Date.now() + pauseMs - startedAt >= limitMs;
      if (kind === 'unprepared' || attempt >= attempts || isLate) {
        observeQuestion(env, 'failed', Date.now() - startedAt);
        logFault('database', withoutStatement(error));
        throw databaseUnavailable();
      }
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }
}

/** A statement's text and values do not belong in a log. */
const withoutStatement = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error;
