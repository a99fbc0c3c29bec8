// All requests of an isolate share one thread, so long work must yield to the event loop.

/**
 * Lets other requests run. The promise of a read resolves without returning to the event loop while
 * bytes are available, so a client that sends fast enough would otherwise block all others.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
