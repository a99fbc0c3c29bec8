// Heavy requests of a caller: how many run at once, and how long others wait.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withConcurrencyLimit } from '../../workers/service/http/concurrency.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts heavy requests of an account, one for each token. */
function startHeavy(tokens: readonly string[]) {
  const env = {};
  const c = { env, get: () => ({ defer: () => undefined }) };
  return tokens.map((tokenId) => {
    const request = { outcome: 'waits', end: (): void => undefined };
    const work = () => {
      request.outcome = 'runs';
      return new Promise<void>((done) => {
        request.end = done;
      });
    };
    withConcurrencyLimit(c as never, { tokenId, account: 'fleet' } as never, work).catch(
      (error: { code: string }) => {
        request.outcome = error.code;
      },
    );
    return request;
  });
}

test.each([
  ['token', 2, () => 'a'],
  ['account', 4, (_: unknown, i: number) => `boat ${i}`],
] as const)('runs some requests of one %s (%i); 32 more wait', async (_name, running, tokenOf) => {
  const requests = startHeavy(Array.from({ length: running + 33 }, tokenOf));
  const outcomes = () => requests.map(({ outcome }) => outcome);
  const many = (count: number, outcome: string) => Array<string>(count).fill(outcome);
  await vi.advanceTimersByTimeAsync(1000);
  const refused = 'too_many_at_once';
  expect(outcomes()).toEqual([...many(running, 'runs'), ...many(32, 'waits'), refused]);
  requests[0]!.end();
  await vi.advanceTimersByTimeAsync(1000);
  expect(outcomes()).toEqual([...many(running + 1, 'runs'), ...many(31, 'waits'), refused]);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(outcomes()).toEqual([...many(running + 1, 'runs'), ...many(32, refused)]);
});
