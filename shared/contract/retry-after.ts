// Parser of Retry-After.

/** The delay in milliseconds, from seconds or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(text: string | null, nowMs: number): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
