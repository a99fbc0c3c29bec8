// A circuit breaker for the database, per isolate: while the server is unavailable, requests do not
// wait for it.
//
// Slow queries do not prove that the server is unavailable, so a cheap query checks it before queries are suspended.

import type { Env } from '../runtime/env.ts';
import { isUnexpired } from '../runtime/periods.ts';

/** Number of consecutive failures after which the server is checked. */
const FAILURES_BEFORE_CHECK = 5;
/** Time without queries while the server is unavailable. */
const PAUSE_MS = 5000;

interface Health {
  /** Consecutive failures. */
  failures: number;
  isUnavailable: boolean;
  /** Time of the next attempt while the server is unavailable. */
  pausedUntil: number;
  /** Time of the last response, including errors. */
  answeredAt: number;
  isChecking: boolean;
}

/** Cache of this isolate, per `Env`. */
const known = new WeakMap<Env, Health>();

function healthOf(env: Env): Health {
  let health = known.get(env);
  if (health === undefined) {
    health = {
      failures: 0,
      isUnavailable: false,
      pausedUntil: 0,
      answeredAt: 0,
      isChecking: false,
    };
    known.set(env, health);
  }
  return health;
}

/** Whether queries are suspended. After the pause one query is allowed, as a trial. */
export function isResting(env: Env, nowMs: number): boolean {
  const health = healthOf(env);
  if (!health.isUnavailable) return false;
  if (isUnexpired(nowMs, health.pausedUntil, PAUSE_MS)) return true;
  health.pausedUntil = nowMs + PAUSE_MS;
  return false;
}

/** Records a response. */
export function noteAnswer(env: Env, nowMs: number): void {
  Object.assign(healthOf(env), { failures: 0, isUnavailable: false, answeredAt: nowMs });
}

/**
 * Records a missing response.
 * @param isAvailable checks the server with a cheap query
 */
export async function noteSilence(env: Env, isAvailable: () => Promise<boolean>): Promise<void> {
  const health = healthOf(env);
  health.failures++;
  if (health.isUnavailable) health.pausedUntil = Date.now() + PAUSE_MS;
  if (health.isUnavailable || health.isChecking || health.failures < FAILURES_BEFORE_CHECK) return;
  health.isChecking = true;
  const requestedAt = Date.now();
  const isUp = await isAvailable();
  health.isChecking = false;
  if (isUp) noteAnswer(env, Date.now());
  else if (health.answeredAt < requestedAt) {
    Object.assign(health, { isUnavailable: true, pausedUntil: Date.now() + PAUSE_MS });
  }
}
