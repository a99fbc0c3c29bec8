// Requests of each key in a minute, counted in this process: what the platform's counters do at the
// edge, where the service runs on a machine of one's own.

import { isWithinPeriod } from '../runtime/periods.ts';

const PERIOD_MS = 60_000;
/** More keys than this at once: the oldest are forgotten, as their minute is nearly over. */
const MOST_KEYS = 100_000;

export interface Counted {
  readonly isWithin: boolean;
  /** Requests that the key has left in its minute. */
  readonly remaining: number;
  /** Whole seconds until the minute is over. */
  readonly resetSeconds: number;
}

export class MinuteCounter {
  readonly #counts = new Map<string, { readonly since: number; count: number }>();

  /** Count a request. @param limit requests of one key in a minute */
  count(key: string, limit: number, nowMs: number): Counted {
    let known = this.#counts.get(key);
    if (known === undefined || !isWithinPeriod(nowMs, known.since, PERIOD_MS)) {
      this.#counts.delete(key);
      known = { since: nowMs, count: 0 };
      this.#counts.set(key, known);
      this.#forget(nowMs);
    }
    known.count++;
    return {
      isWithin: known.count <= limit,
      remaining: Math.max(limit - known.count, 0),
      resetSeconds: Math.max(Math.ceil((known.since + PERIOD_MS - nowMs) / 1000), 1),
    };
  }

  #forget(nowMs: number): void {
    for (const [oldest, { since }] of this.#counts) {
      if (this.#counts.size <= MOST_KEYS && isWithinPeriod(nowMs, since, PERIOD_MS)) break;
      this.#counts.delete(oldest);
    }
  }
}
