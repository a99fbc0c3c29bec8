// A database that sleeps without requests is not woken: the service writes only if it has data to
// write, at most as often as the deployment's setting.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tidyEveryMs } from '../../workers/host/serve/options.ts';
import type { Caller } from '../../workers/service/identity/auth.ts';
import type { Env } from '../../workers/service/runtime/env.ts';
import { countRequest } from '../../workers/service/usage/count-usage.ts';

const NOON = Date.parse('2030-06-01T12:00:00Z');
const caller = { tokenId: 't', account: 'a' } as Caller;
let asked = 0;

beforeEach(() => {
  asked = 0;
  vi.stubGlobal('fetch', () => {
    asked++;
    return Promise.reject(new TypeError('asleep'));
  });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const envWith = (flushMs: number) =>
  ({
    DATABASE_URL: 'postgresql://user:password@database.invalid/charts',
    USAGE_FLUSH_MS: `${flushMs}`,
  }) as unknown as Env;

test('charts alone do not wake it before the time that counts are gathered for is over', async () => {
  const env = envWith(600_000);
  const behind: Promise<unknown>[] = [];
  const request = (atMs: number) =>
    countRequest(
      env,
      caller,
      { kind: 'Tiles', status: 200 },
      NOON + atMs,
      (work) => void behind.push(work),
    );
  for (let second = 0; second < 600; second += 10) request(second * 1000);
  expect([behind.length, asked]).toEqual([0, 0]);
  request(600_000);
  await Promise.all(behind);
  expect(behind).toHaveLength(1);
  expect(asked).toBeGreaterThan(0);
});

test('a self-hosted database is cleaned up every minute, a remote one every six hours', () => {
  const [own, ...others] = [
    { databaseUrl: undefined, databaseOwnerUrl: undefined },
    { databaseUrl: 'postgresql://a', databaseOwnerUrl: undefined },
    { databaseUrl: undefined, databaseOwnerUrl: 'postgresql://a' },
  ];
  expect(tidyEveryMs(own!)).toBeLessThan(60_000);
  for (const other of others) expect(tidyEveryMs(other)).toBe(6 * 3_600_000);
});
