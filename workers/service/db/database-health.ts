// How the database did lately, as this isolate saw it: a server that is away is left alone for a while,
// so that no request waits for it and it is not asked again and again when it comes back.
//
// Only the server itself counts. Questions that took too long are as often the fault of what was asked,
// so before it is left alone, a question that costs nothing is put to it.

import type { Env } from '../runtime/env.ts';
import { isUnexpired } from '../runtime/periods.ts';

/** After so many failures in a row it is asked whether it is there. */
const FAILURES_TO_ASK = 5;
const REST_MS = 5000;

interface Health {
  /** In a row. */
  failures: number;
  isAway: boolean;
  /** While it is away, when the next question may go and see. */
  restUntil: number;
  /** When anything came back, also a refusal. */
  answeredAt: number;
  isAsking: boolean;
}

/** A cache named as one: per deployment. */
const known = new WeakMap<Env, Health>();

function healthOf(env: Env): Health {
  let health = known.get(env);
  if (health === undefined) {
    health = { failures: 0, isAway: false, restUntil: 0, answeredAt: 0, isAsking: false };
    known.set(env, health);
  }
  return health;
}

/** Whether it is left alone; after a rest one question may go to see, and the others rest on. */
export function isResting(env: Env, nowMs: number): boolean {
  const health = healthOf(env);
  if (!health.isAway) return false;
  if (isUnexpired(nowMs, health.restUntil, REST_MS)) return true;
  health.restUntil = nowMs + REST_MS;
  return false;
}

/** Something came back. */
export function noteAnswer(env: Env, nowMs: number): void {
  Object.assign(healthOf(env), { failures: 0, isAway: false, answeredAt: nowMs });
}

/**
 * Nothing came back. @param isThere puts to the server the least that can be asked
 * @returns when it is known what follows
 */
export async function noteSilence(env: Env, isThere: () => Promise<boolean>): Promise<void> {
  const health = healthOf(env);
  health.failures++;
  if (health.isAway) health.restUntil = Date.now() + REST_MS;
  if (health.isAway || health.isAsking || health.failures < FAILURES_TO_ASK) return;
  health.isAsking = true;
  const askedAt = Date.now();
  const isUp = await isThere();
  health.isAsking = false;
  if (isUp) noteAnswer(env, Date.now());
  else if (health.answeredAt < askedAt) {
    Object.assign(health, { isAway: true, restUntil: Date.now() + REST_MS });
  }
}
