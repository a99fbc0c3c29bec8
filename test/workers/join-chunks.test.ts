// Small chunks of a body are joined: readers need time for each.

import { expect, test } from 'vitest';
import { joiner } from '../../workers/service/runtime/join-chunks.ts';

test('passes chunks on with at least some bytes, in their order, and the rest at the end', () => {
  const taken: number[][] = [];
  const { push, end } = joiner(3, (chunk) => taken.push([...chunk]));
  for (const chunk of [[1], [2], [], [3], [4, 5, 6, 7], [8], [9]]) push(Uint8Array.from(chunk));
  end();
  end();
  expect(taken).toEqual([
    [1, 2, 3],
    [4, 5, 6, 7],
    [8, 9],
  ]);
});
