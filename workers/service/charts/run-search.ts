// Runs a search that requests squares of the sea and continues when they are loaded. Reads, memory
// and time are limited, because requests share the isolate.

import type { SquareId } from '../../../shared/route/sea.ts';
import { TooSlow } from '../runtime/time-limit.ts';
import { nextTurn } from '../runtime/yield-to-event-loop.ts';

/** Limits for the reads of a search. */
interface ReadBudget {
  readonly rounds: number;
  /** Maximum number of requests without squares: pauses of a search. */
  readonly pauses: number;
  /** Maximum memory of all squares together. */
  readonly bytes: number;
  /** Time limit for all reads together; each single read has its own limit. */
  readonly ms: number;
}

const READ_BUDGET: ReadBudget = {
  rounds: 400,
  pauses: 40_000,
  bytes: 48 * 1024 * 1024,
  ms: 20_000,
};

/**
 * The result of the search; `undefined` if it exceeded the limits.
 * @param read loads squares for the search and returns their memory in bytes
 * @throws TooSlow if reading took too long: the fault is in storage, not in the trip
 */
export async function runSearch<T>(
  search: Iterator<readonly SquareId[], T, void>,
  read: (squares: readonly SquareId[]) => Promise<number>,
  now: () => number,
  budget: ReadBudget = READ_BUDGET,
): Promise<T | undefined> {
  let bytes = 0;
  let readingMs = 0;
  let pauses = 0;
  for (let round = 0; round <= budget.rounds; ) {
    // The search computes between its requests, and cached squares do not yield to the event loop.
    await nextTurn();
    const step = search.next();
    if (step.done === true) return step.value;
    if (step.value.length === 0) {
      pauses++;
      if (pauses > budget.pauses) return undefined;
      continue;
    }
    round++;
    const startedAt = now();
    bytes += await read(step.value);
    readingMs += now() - startedAt;
    if (readingMs > budget.ms) throw new TooSlow(`reading took more than ${budget.ms} ms`);
    if (bytes > budget.bytes) return undefined;
  }
  return undefined;
}
