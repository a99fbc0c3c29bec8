// A line before work: how much is done at once, who goes first, and places of requests that ended unheard.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkQueue } from '../../workers/service/runtime/work-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits in the queue. Reports when it started and how it ended. */
function stand(line: WorkQueue, units: number) {
  const one = { isIn: false, leave: (): void => undefined };
  void line.enter(units).then((leave) => {
    one.isIn = true;
    one.leave = leave;
  });
  return one;
}
const lookAgain = () => vi.advanceTimersByTimeAsync(20);

test('work waits in a line while there is no room, and goes in as it came', async () => {
  const line = new WorkQueue(10);
  const [first, large, small] = [stand(line, 6), stand(line, 8), stand(line, 1)];
  await lookAgain();
  // The small one would have room, and does not go before who came earlier.
  expect([first.isIn, large.isIn, small.isIn, line.runningUnits]).toEqual([true, false, false, 6]);
  first.leave();
  await lookAgain();
  expect([large.isIn, small.isIn, line.runningUnits]).toEqual([true, true, 9]);
  large.leave();
  small.leave();
  expect(line.runningUnits).toBe(0);
});

test('work that is more than a line lets in goes in alone', async () => {
  const line = new WorkQueue(10);
  const [first, huge, next] = [stand(line, 1), stand(line, 50), stand(line, 1)];
  await lookAgain();
  expect([first.isIn, huge.isIn]).toEqual([true, false]);
  first.leave();
  await lookAgain();
  expect([huge.isIn, next.isIn]).toEqual([true, false]);
  huge.leave();
  await lookAgain();
  expect(next.isIn).toBe(true);
});

test('work in a line whose end went unnoticed holds its place for half a minute', async () => {
  const line = new WorkQueue(1);
  const [lost, next] = [stand(line, 1), stand(line, 1)];
  await vi.advanceTimersByTimeAsync(29_000);
  expect([lost.isIn, next.isIn]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(1100);
  expect(next.isIn).toBe(true);
});

test('a place in a line whose request ended while it waited is soon passed by', async () => {
  const line = new WorkQueue(1);
  const first = stand(line, 1);
  // It never looks again.
  vi.stubGlobal('setTimeout', () => 0);
  const gone = stand(line, 1);
  vi.unstubAllGlobals();
  const next = stand(line, 1);
  await lookAgain();
  first.leave();
  await lookAgain();
  expect([gone.isIn, next.isIn]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(300);
  expect([gone.isIn, next.isIn]).toEqual([false, true]);
});
