// Whether a time is still near. A machine's clock may be set back, as one without a battery is when it
// hears the time from the network; what was to last seconds must not last for as long as the clock
// was wrong.

/** Whether less than a period lies between two times, whichever comes first. Milliseconds. */
export const isWithinPeriod = (nowMs: number, sinceMs: number, periodMs: number): boolean =>
  Math.abs(nowMs - sinceMs) < periodMs;

/** Whether what was given a period until some time goes on: that time is ahead, and not too far. */
export const isUnexpired = (nowMs: number, untilMs: number, periodMs: number): boolean =>
  untilMs > nowMs && untilMs - nowMs <= 2 * periodMs;
