// Downloads of regions have places, with a clock that the test moves.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Download } from '../../workers/service/regions/download.ts';

const SECOND_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that accepts a number of bytes each second. */
const clientOf = (bytesPerSecond: number) =>
  ({
    write: ({ length }: Uint8Array) =>
      bytesPerSecond === 0
        ? new Promise(() => undefined)
        : new Promise((done) => setTimeout(done, (SECOND_MS * length) / bytesPerSecond)),
  }) as never;

/** Sends 100 MB. */
let accounts = 0;
const begin = (bytesPerSecond: number, account = `a-${accounts++}`): Promise<string> => {
  const download = new Download(account);
  return download
    .send(new Uint8Array(100_000_000), clientOf(bytesPerSecond))
    .then(() => 'sent')
    .catch((error: Error) => error.message)
    .finally(() => download.end());
};
const code = (open: () => unknown) => {
  try {
    open();
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
  return undefined;
};
const passed = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND_MS);

test('a slow download ends when another needs its place, and fast ones do not', async () => {
  const slow = begin(10_000);
  const fast = [1, 2, 3, 4, 5].map(() => begin(1_000_000));
  await passed(1);
  expect(code(() => begin(1_000_000))).toBe('too_many_at_once');
  await passed(40);
  const next = begin(1_000_000);
  expect(code(() => begin(1_000_000))).toBe('too_many_at_once');
  await passed(10);
  expect(await slow).toMatch(/place/);
  await passed(100);
  expect(await Promise.all([...fast, next])).toEqual(Array(6).fill('sent'));
});

test('an account has at most four places', async () => {
  const own = [1, 2, 3, 4].map(() => begin(1_000_000, 'own'));
  expect(code(() => begin(1_000_000, 'own'))).toBe('too_many_at_once');
  const other = begin(1_000_000);
  await passed(101);
  expect(await Promise.all([...own, other])).toEqual(Array(5).fill('sent'));
});

test('a client that accepts nothing ends after half a minute, and a slow one does not', async () => {
  const [stalled, slow] = [begin(0), begin(3000)];
  await passed(31);
  expect(await stalled).toMatch(/30000 ms/);
  expect(await Promise.race([slow, Promise.resolve('sending')])).toBe('sending');
  await passed(40_000);
  expect(await slow).toBe('sent');
});
