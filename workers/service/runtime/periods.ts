// Expiry that tolerates a clock that is set back, such as on a machine without a battery when it
// first gets the time from the network: a period of seconds must not last as long as the clock was
// wrong.

/** Whether two times are less than a period apart, in either order. Milliseconds. */
export const isWithinPeriod = (nowMs: number, sinceMs: number, periodMs: number): boolean =>
  Math.abs(nowMs - sinceMs) < periodMs;

/**
 * Whether `untilMs` is in the future, but not more than two periods: then the clock was set back.
 */
export const isUnexpired = (nowMs: number, untilMs: number, periodMs: number): boolean =>
  untilMs > nowMs && untilMs - nowMs <= 2 * periodMs;

/** Removes expired entries from a set and returns it. */
export function withoutExpired<T extends { readonly until: number }>(
  entries: Set<T>,
  periodMs: number,
): Set<T> {
  const nowMs = Date.now();
  for (const entry of entries) {
    if (!isUnexpired(nowMs, entry.until, periodMs)) entries.delete(entry);
  }
  return entries;
}
