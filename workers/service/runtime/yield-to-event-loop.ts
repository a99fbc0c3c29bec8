// All requests of an isolate share one thread, so long work must yield to the event loop.

import { isUnexpired } from './periods.ts';

/**
 * Lets other requests run. The promise of a read resolves without returning to the event loop while
 * bytes are available, so a client that sends fast enough would otherwise block all others.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

/** A waiting piece that has not polled for this long was cancelled with its request. */
const ABSENT_MS = 250;

/** Pieces of long work that wait, in the order of arrival. */
const waiting = new Set<{ until: number }>();
/** Pieces that have run. */
let turns = 0;

/**
 * Waits for a turn to run the next piece of long work. One piece runs between two returns to the
 * event loop, whichever number of requests have work, so that short requests wait for one piece.
 * Requests poll instead of waking one another, because the platform may cancel each of them.
 */
export async function nextTurn(): Promise<void> {
  const own = { until: 0 };
  for (;;) {
    const turnsBefore = turns;
    own.until = Date.now() + ABSENT_MS;
    waiting.add(own);
    await yieldToEventLoop();
    if (turns === turnsBefore && firstWaiting() === own) break;
  }
  waiting.delete(own);
  turns++;
}

function firstWaiting() {
  const nowMs = Date.now();
  for (const one of waiting) {
    if (isUnexpired(nowMs, one.until, ABSENT_MS)) return one;
    waiting.delete(one);
  }
  return undefined;
}
