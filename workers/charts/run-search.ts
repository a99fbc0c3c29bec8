// Runs a search that asks for squares of the sea and goes on once they are there: within so many
// rounds of reading and so much time, as a request may not read for ever.

import type { SquareId } from '../../shared/route/sea.ts';
import { TooSlow } from './time-limit.ts';

/** What a search may cost in reading. */
export interface ReadBudget {
  readonly rounds: number;
  readonly squares: number;
  /** Of all reading together; a single read has a limit of its own. */
  readonly ms: number;
}

export const READ_BUDGET: ReadBudget = { rounds: 400, squares: 20_000, ms: 20_000 };

/**
 * The search's result; undefined where it asked for more than the budget.
 * @param read puts squares where the search looks for them, or throws
 * @throws TooSlow where reading took too long: then storage is at fault, not the trip
 */
export async function runSearch<T>(
  search: Iterator<readonly SquareId[], T, void>,
  read: (squares: readonly SquareId[]) => Promise<void>,
  now: () => number,
  budget: ReadBudget = READ_BUDGET,
): Promise<T | undefined> {
  let squares = 0;
  let readingMs = 0;
  for (let round = 0; round <= budget.rounds; round++) {
    const step = search.next();
    if (step.done === true) return step.value;
    squares += step.value.length;
    if (squares > budget.squares) return undefined;
    const startedAt = now();
    await read(step.value);
    readingMs += now() - startedAt;
    if (readingMs > budget.ms) throw new TooSlow(`reading took more than ${budget.ms} ms`);
  }
  return undefined;
}
