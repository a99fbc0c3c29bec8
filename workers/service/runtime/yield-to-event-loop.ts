// One thread for all requests of an isolate: whoever works long stops now and then.

/**
 * Lets other requests have their turn. A runtime that finds bytes wherever it looks for more looks
 * nowhere else: whoever sends as fast as is read would be alone with it.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
