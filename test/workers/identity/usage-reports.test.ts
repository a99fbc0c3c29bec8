// Reports of counted requests that overlap, because the database answers late.

import { expect, test, vi } from 'vitest';
import type { Count } from '../../../workers/service/db/usage-store.ts';
import type { Caller } from '../../../workers/service/identity/auth.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';

const STORE = '../../../workers/service/db/usage-store.ts';
const FLUSH_MS = 600_000;
const env = {
  DATABASE_URL: 'postgresql://user:password@database.invalid/charts',
  USAGE_FLUSH_MS: `${FLUSH_MS}`,
} as unknown as Env;

test('a report with an unknown outcome is sent again, although an earlier one ends after it began', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const sent: { id: string; end: (error?: Error) => void }[] = [];
  const addUsage = (_env: Env, id: string, _counts: readonly Count[]) =>
    new Promise<void>((done, fail) => {
      sent.push({ id, end: (error) => (error === undefined ? done() : fail(error)) });
    });
  vi.doMock(STORE, () => ({ addUsage }));
  vi.resetModules();
  const { countRequest } = await import('../../../workers/service/usage/count-usage.ts');
  let now = 0;
  const request = (ms: number) => {
    now += ms;
    const answered = { kind: 'Tiles', status: 200 } as const;
    countRequest(env, { tokenId: 't', account: 'a' } as Caller, answered, now, () => undefined);
  };
  /** Requests until a report is due. */
  const report = () => [1, FLUSH_MS].forEach(request);
  const end = (index: number, error?: Error) => {
    sent[index]!.end(error);
    return new Promise((done) => setImmediate(done));
  };
  try {
    report();
    await end(0, new Error('away'));
    report();
    report();
    // Both send the first report again. The later one ends first, and the next report begins.
    await end(2);
    request(1);
    await end(1);
    await end(3, new Error('away'));
    report();
    const ids = sent.map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0], ids[0], ids[3], ids[3]]);
    expect(ids[3]).not.toBe(ids[0]);
  } finally {
    vi.doUnmock(STORE);
    vi.resetModules();
    vi.restoreAllMocks();
  }
});
