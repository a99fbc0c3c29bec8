// A circuit breaker for the database, per isolate: while the server is unavailable, requests do not
// wait for it.
//
// Slow queries do not prove that the server is unavailable, so a cheap query checks it first.

import type { Env } from '../runtime/env.ts';
import { isUnexpired } from '../runtime/periods.ts';

/** Number of consecutive failures after which the server is checked. */
const FAILURES_TO_ASK = 5;
const REST_MS = 5000;

interface Health {
  /** Consecutive failures. */
  failures: number;
  isAway: boolean;
  /** Time of the next attempt while the server is unavailable. */
  restUntil: number;
  /** Time of the last response, including errors. */
  answeredAt: number;
  isAsking: boolean;
}

/** Cache, per deployment. */
const known = new WeakMap<Env, Health>();

function healthOf(env: Env): Health {
  let health = known.get(env);
  if (health === undefined) {
    health = { failures: 0, isAway: false, restUntil: 0, answeredAt: 0, isAsking: false };
    known.set(env, health);
  }
  return health;
}

/** Whether queries are suspended. After the rest period one query is allowed. */
export function isResting(env: Env, nowMs: number): boolean {
  const health = healthOf(env);
  if (!health.isAway) return false;
  if (isUnexpired(nowMs, health.restUntil, REST_MS)) return true;
  health.restUntil = nowMs + REST_MS;
  return false;
}

/** Records a response. */
export function noteAnswer(env: Env, nowMs: number): void {
  Object.assign(healthOf(env), { failures: 0, isAway: false, answeredAt: nowMs });
}

/**
 * Records a missing response. @param isThere checks the server with a cheap query
 */
export async function noteSilence(env: Env, isThere: () => Promise<boolean>): Promise<void> {
  const health = healthOf(env);
  health.failures++;
  if (health.isAway) health.restUntil = Date.now() + REST_MS;
  if (health.isAway || health.isAsking || health.failures < FAILURES_TO_ASK) return;
  health.isAsking = true;
  const requestedAt = Date.now();
  const isUp = await isThere();
  health.isAsking = false;
  if (isUp) noteAnswer(env, Date.now());
  else if (health.answeredAt < requestedAt) {
    Object.assign(health, { isAway: true, restUntil: Date.now() + REST_MS });
  }
}
