// Bodies that never end are aborted after a time limit, with a clock that the test moves. Bodies that
// are only slow are accepted.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPieces } from '../../workers/service/http/read-pieces.ts';

const KIBI = 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Sender {
  readonly request: Request;
  isCancelled: boolean;
}

/**
 * A request whose client sends a number of bytes at intervals, `pieces` times, and then pauses forever
 * or ends.
 */
function sender(bytes: number, everyMs: number, pieces: number, ends: boolean): Sender {
  const sending: { request: Request; isCancelled: boolean } = {
    request: undefined as unknown as Request,
    isCancelled: false,
  };
  let left = pieces;
  let timer: ReturnType<typeof setTimeout>;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = () => {
        if (left-- > 0) {
          controller.enqueue(new Uint8Array(bytes));
          timer = setTimeout(send, everyMs);
        } else if (ends) controller.close();
      };
      timer = setTimeout(send, everyMs);
    },
    cancel: () => {
      clearTimeout(timer);
      sending.isCancelled = true;
    },
  });
  sending.request = new Request('http://leadline.test/', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit);
  return sending;
}

/** The outcome of reading, and the seconds it took. */
async function outcomeOf(request: Request): Promise<readonly [string | number, number]> {
  const startedAt = Date.now();
  let size = 0;
  const reading = readPieces(request, 16 * KIBI * KIBI, (piece) => {
    size += piece.length;
  }).then(
    () => size,
    (error: { readonly code: string }) => error.code,
  );
  await vi.runAllTimersAsync();
  return [await reading, Math.round((Date.now() - startedAt) / 1000)];
}

test.each([
  ['sends nothing', () => sender(1, 1, 0, false), 30],
  ['stops in the middle', () => sender(10 * KIBI, 1000, 5, false), 35],
  ['sends a byte at intervals without end', () => sender(1, 20_000, 1e9, false), 60],
  ['sends a kilobyte a second without end', () => sender(KIBI, 1000, 1e9, false), 81],
])('a client that %s is aborted, and its body is read no further', async (_, begin, seconds) => {
  const sending = begin();
  const [outcome, after] = await outcomeOf(sending.request);
  expect(outcome).toBe('request_timeout');
  expect(after).toBeLessThanOrEqual(seconds + 1);
  expect(sending.isCancelled).toBe(true);
  // The rest is not read, because the connection ends.
  expect(sending.request.body?.locked).toBe(true);
});

test.each([
  [
    'over a slow link for a quarter of an hour',
    () => sender(5 * KIBI, 1000, 900, true),
    900 * 5 * KIBI,
  ],
  ['with a long pause', () => sender(KIBI, 29_000, 1, true), KIBI],
])('a body that arrives %s is accepted completely', async (_, begin, size) => {
  expect((await outcomeOf(begin().request))[0]).toBe(size);
});
