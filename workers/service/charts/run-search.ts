// Runs a search that asks for squares of the sea and goes on once they are there: within so much
// reading, memory and time, as an isolate is shared.

import type { SquareId } from '../../../shared/route/sea.ts';
import { TooSlow } from '../runtime/time-limit.ts';
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts';

/** What a search may cost in reading. */
interface ReadBudget {
  readonly rounds: number;
  /** Questions for no squares: pauses of a search. */
  readonly pauses: number;
  /** Of the memory, for all squares together. */
  readonly bytes: number;
  /** Of all reading together; a single read has a limit of its own. */
  readonly ms: number;
}

const READ_BUDGET: ReadBudget = {
  rounds: 400,
  pauses: 10_000,
  bytes: 48 * 1024 * 1024,
  ms: 20_000,
};

/**
 * The search's result; undefined where it asked for more than the budget.
 * @param read puts squares where the search looks for them, and tells how many bytes those take
 * @throws TooSlow where reading took too long: then storage is at fault, not the trip
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
    const step = search.next();
    if (step.done === true) return step.value;
    // The search works for long between its questions, and what was read before comes at once.
    await yieldToEventLoop();
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
