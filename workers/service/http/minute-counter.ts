// Counts requests per key and minute in this process. It replaces the platform's rate limiter when
// the service is self-hosted.

import { isWithinPeriod } from '../runtime/periods.ts';

const PERIOD_MS = 60_000;
/** Above this number, the oldest keys are removed. */
const MAX_KEYS = 100_000;

export interface Counted {
  readonly isWithin: boolean;
  /** Remaining requests of the key in its minute. */
  readonly remaining: number;
  /** Seconds until its minute ends. */
  readonly resetSeconds: number;
}

/** State of a limit, for response headers. */
export interface RateLimitState {
  readonly limit: number;
  /**
   * `undefined` with the platform's rate limiter, which reports only whether the limit is exceeded.
   */
  readonly remaining: number | undefined;
  readonly resetSeconds: number | undefined;
}

export class MinuteCounter {
  readonly #counts = new Map<string, { readonly since: number; count: number }>();

  /** Counts a request. @param limit requests per key and minute */
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

  /** Takes back a request that was counted. */
  takeBack(key: string): void {
    const known = this.#counts.get(key);
    if (known !== undefined && known.count > 0) known.count--;
  }

  #forget(nowMs: number): void {
    for (const [oldest, { since }] of this.#counts) {
      if (this.#counts.size <= MAX_KEYS && isWithinPeriod(nowMs, since, PERIOD_MS)) break;
      this.#counts.delete(oldest);
    }
  }
}
