// The platform's counters of requests, where there is no platform: so many a minute for each key,
// counted in this process.

const PERIOD_MS = 60_000;
/** More keys than this at once: the oldest are forgotten, as their minute is nearly over. */
const MOST_KEYS = 100_000;

/** The Worker's `RateLimit` binding. @param mostPerMinute requests of one key; 0 for no limit */
export function minuteLimiter(mostPerMinute: number, now: () => number = Date.now): RateLimit {
  const counts = new Map<string, { readonly since: number; count: number }>();
  const limit = async ({ key }: { key: string }) => {
    if (mostPerMinute === 0) return { success: true };
    const nowMs = now();
    const known = counts.get(key);
    if (known !== undefined && nowMs - known.since < PERIOD_MS) {
      known.count++;
      return { success: known.count <= mostPerMinute };
    }
    counts.delete(key);
    counts.set(key, { since: nowMs, count: 1 });
    for (const [oldest, { since }] of counts) {
      if (counts.size <= MOST_KEYS && nowMs - since < PERIOD_MS) break;
      counts.delete(oldest);
    }
    return { success: true };
  };
  return { limit } as RateLimit;
}
