// A search that requests squares receives them round by round, and ends.

import { expect, test } from 'vitest';
import type { SquareId } from '../../shared/route/sea.ts';
import { runSearch } from '../../workers/service/charts/run-search.ts';
import { TooSlow } from '../../workers/service/runtime/time-limit.ts';

const square = (x: number): SquareId => ({ z: 5, x, y: 1 });
const BUDGET = { rounds: 5, pauses: 5, bytes: 20, ms: 1000 };

/** Asks for each list in turn, and ends with how many squares were there. */
function* search(lists: readonly (readonly SquareId[])[], there: ReadonlySet<number>) {
  for (const list of lists) yield list;
  return there.size;
}

test('every list is read before the search continues', async () => {
  const there = new Set<number>();
  const read: SquareId[][] = [];
  const found = await runSearch(
    search([[square(1), square(2)], [square(3)]], there),
    async (squares) => {
      read.push([...squares]);
      for (const { x } of squares) there.add(x);
      return 1;
    },
    () => 0,
    BUDGET,
  );
  expect(found).toBe(3);
  expect(read.map((list) => list.map(({ x }) => x))).toEqual([[1, 2], [3]]);
});

test('the last round may end the search', async () => {
  const lists = Array.from({ length: 5 }, (_, x) => [square(x)]);
  expect(
    await runSearch(
      search(lists, new Set()),
      async () => 0,
      () => 0,
      BUDGET,
    ),
  ).toBe(0);
});

test.each([
  ['rounds', Array.from({ length: 6 }, (_, x) => [square(x)])],
  ['squares for the memory', [[square(0)], Array.from({ length: 21 }, (_, x) => square(x))]],
  ['rounds that ask for nothing', Array.from({ length: 6 }, () => [])],
])('too many %s end it without a result', async (_what, lists) => {
  let reads = 0;
  const read = async (squares: readonly SquareId[]) => {
    reads++;
    return squares.length;
  };
  expect(await runSearch(search(lists, new Set()), read, () => 0, BUDGET)).toBeUndefined();
  expect(reads).toBeLessThanOrEqual(6);
});

test('reading that takes too long altogether is the fault of storage', async () => {
  let clock = 0;
  const read = async () => {
    clock += 400;
    return 0;
  };
  const lists = Array.from({ length: 5 }, (_, x) => [square(x)]);
  await expect(runSearch(search(lists, new Set()), read, () => clock, BUDGET)).rejects.toThrow(
    TooSlow,
  );
});

test('an error of a read ends the search', async () => {
  const read = async () => Promise.reject(new Error('gone'));
  const running = runSearch(search([[square(1)]], new Set()), read, () => 0, BUDGET);
  await expect(running).rejects.toThrow('gone');
});

test('others have their turn whenever the search pauses, and whenever it reads', async () => {
  let turns = 0;
  let isOver = false;
  const others = () => {
    if (isOver) return;
    turns++;
    setTimeout(others, 0);
  };
  const seen: number[] = [];
  function* pausing() {
    for (const list of [[], [square(1)], [], [], [square(2)]]) {
      seen.push(turns);
      yield list;
    }
    return 'done';
  }
  setTimeout(others, 0);
  expect(
    await runSearch(
      pausing(),
      async () => 0,
      () => 0,
      BUDGET,
    ),
  ).toBe('done');
  isOver = true;
  // Each part of the search saw that others had been at work since the part before it.
  for (let i = 1; i < seen.length; i++) expect(seen[i]).toBeGreaterThan(seen[i - 1]!);
});

test('one part of all searches runs between two returns to the event loop', async () => {
  const parts: number[] = [];
  let loops = 0;
  const timer = setInterval(() => loops++, 0);
  function* ten() {
    for (let i = 0; i < 10; i++) {
      parts.push(loops);
      const until = performance.now() + 2;
      while (performance.now() < until);
      yield [];
    }
  }
  const budget = { ...BUDGET, pauses: 20 };
  const run = () => runSearch(ten(), async () => 0, Date.now, budget);
  await Promise.all(Array.from({ length: 5 }, run));
  clearInterval(timer);
  expect(new Set(parts).size).toBe(50);
});
