// A clock that is set back, for example when a machine without a battery for its clock receives the time from the
// network. A limit of seconds must not last for as long as the clock was wrong.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TokenClaims } from '../../shared/contract/token-claims.ts';
import { isResting, noteSilence } from '../../workers/service/db/database-health.ts';
import { MinuteCounter } from '../../workers/service/http/minute-counter.ts';
import type { Caller } from '../../workers/service/identity/auth.ts';
import { standingOf } from '../../workers/service/identity/denylist.ts';
import type { Env } from '../../workers/service/runtime/env.ts';
import { isUnexpired, isWithinPeriod } from '../../workers/service/runtime/periods.ts';
import { WorkQueue } from '../../workers/service/runtime/work-queue.ts';
import { countRequest } from '../../workers/service/usage/count-usage.ts';
import { memoryNamespace } from '../support/style-assets.ts';

const NOON = Date.parse('2030-06-01T12:00:00Z');
const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a period ends after its length, and when the clock is set back by its length or more', () => {
  expect([0, 59, 60].map((later) => isWithinPeriod(NOON + later, NOON, 60))).toEqual([
    true,
    true,
    false,
  ]);
  expect([1, 59, 60, DAY_MS].map((less) => isWithinPeriod(NOON - less, NOON, 60))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const until = NOON + 60;
  expect([-61, -60, 0, 59, 60].map((later) => isUnexpired(NOON + later, until, 60))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('a clock set back by a day does not extend a rate limit by a day', () => {
  const counter = new MinuteCounter();
  for (let i = 0; i < 3; i++) counter.count('a', 2, NOON);
  expect(counter.count('a', 2, NOON)).toMatchObject({ isWithin: false });
  expect(counter.count('a', 2, NOON - DAY_MS)).toEqual({
    isWithin: true,
    remaining: 1,
    resetSeconds: 60,
  });
});

test('a clock set back by a day does not keep a revoked token valid for a day', async () => {
  const KV = memoryNamespace();
  const claims = { jti: 'stolen', acc: 'acme', gen: 0 } as TokenClaims;
  const standingAt = async (nowMs: number) => {
    const behind: Promise<unknown>[] = [];
    const env = { KV } as unknown as Env;
    const standing = await standingOf(claims, env, nowMs, (work) => void behind.push(work));
    await Promise.all(behind);
    return standing;
  };
  expect(await standingAt(NOON)).toMatchObject({ of: 'good' });
  await KV.put(
    'revoked-v1',
    JSON.stringify({ tokens: ['stolen'], suspended: [], generations: {} }),
  );
  expect(await standingAt(NOON - DAY_MS)).toMatchObject({ of: 'stopped' });
});

test('an account is treated as one with charts if the list of revoked tokens cannot be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const KV = { get: () => Promise.reject(new Error('unreachable')) };
  const claims = { jti: 'one', acc: 'acme', gen: 0 } as TokenClaims;
  const standing = await standingOf(claims, { KV } as unknown as Env, NOON, () => undefined);
  expect(standing).toEqual({ of: 'unknown', hasCharts: true });
});

test('a clock set back by a day does not pause queries for a day after the database was unavailable for seconds', async () => {
  const env: Env = { TILES: {} as never };
  for (let i = 0; i < 5; i++) await noteSilence(env, async () => false);
  expect(isResting(env, NOON + 1)).toBe(true);
  expect(isResting(env, NOON - DAY_MS)).toBe(false);
});

test('a clock set back by a day does not keep the place of work whose end was not reported for a day', async () => {
  const line = new WorkQueue(1);
  await line.enter(1);
  vi.setSystemTime(NOON - DAY_MS);
  let isIn = false;
  void line.enter(1).then(() => {
    isIn = true;
  });
  await vi.advanceTimersByTimeAsync(20);
  expect(isIn).toBe(true);
});

test('requests are counted after the clock is set back by a day', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  for (const flushMs of [600_000, 10_000]) {
    const env = {
      DATABASE_URL: 'postgresql://user:password@database.invalid/charts',
      USAGE_FLUSH_MS: `${flushMs}`,
    } as unknown as Env;
    const caller = { tokenId: 't', account: 'a' } as Caller;
    let sent = 0;
    const count = (nowMs: number) =>
      countRequest(env, caller, { kind: 'Tiles', status: 200 }, nowMs, () => void sent++);
    count(NOON);
    const before = sent;
    count(NOON - DAY_MS);
    expect(sent).toBe(before + 1);
  }
});
