// A queue of work: the amount that runs at once, the order, and places of requests that ended without notice.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkQueue } from '../../workers/service/runtime/work-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits in the queue. Reports when it started and how it ended. */
function stand(line: WorkQueue, units: number, client?: string) {
  const one = { isIn: false, leave: (): void => undefined };
  void line.enter(units, client).then((leave) => {
    one.isIn = true;
    one.leave = leave;
  });
  return one;
}
const lookAgain = () => vi.advanceTimersByTimeAsync(50);

test('work waits while a queue is full, and starts in the order of arrival', async () => {
  const line = new WorkQueue(10);
  const [first, large, small] = [stand(line, 6), stand(line, 8), stand(line, 1)];
  await lookAgain();
  // The small one would fit, but does not overtake an earlier one.
  expect([first.isIn, large.isIn, small.isIn, line.runningUnits]).toEqual([true, false, false, 6]);
  first.leave();
  await lookAgain();
  expect([large.isIn, small.isIn, line.runningUnits]).toEqual([true, true, 9]);
  large.leave();
  small.leave();
  expect(line.runningUnits).toBe(0);
});

test('work that exceeds the limit of a queue runs alone', async () => {
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

test('work whose end was not reported keeps its place for half a minute', async () => {
  const line = new WorkQueue(1);
  const [lost, next] = [stand(line, 1), stand(line, 1)];
  await vi.advanceTimersByTimeAsync(29_000);
  expect([lost.isIn, next.isIn]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(1100);
  expect(next.isIn).toBe(true);
});

test('a request that ended while it waited is soon skipped', async () => {
  const line = new WorkQueue(1);
  const first = stand(line, 1);
  // Without a timer it never checks the queue again.
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

test('clients take turns, whatever number of requests they have', async () => {
  const line = new WorkQueue(1);
  const running = stand(line, 1, 'a');
  const many = Array.from({ length: 50 }, () => stand(line, 1, 'a'));
  const others = [stand(line, 1, 'b'), stand(line, 1, 'c'), stand(line, 1, 'b')];
  const order: string[] = [];
  let last = running;
  for (let i = 0; i < 6; i++) {
    await lookAgain();
    last.leave();
    await lookAgain();
    last = [...many, ...others].find((one) => one.isIn && order.indexOf(nameOf(one)) < 0)!;
    order.push(nameOf(last));
  }
  expect(order).toEqual(['a0', 'b', 'c', 'a1', 'b again', 'a2']);

  function nameOf(one: (typeof many)[0]): string {
    const at = others.indexOf(one);
    return at < 0 ? `a${many.indexOf(one)}` : ['b', 'c', 'b again'][at]!;
  }
});
