// A FIFO queue for work that an isolate can do only a limited amount of at once. Requests poll
// instead of waking one another: a request that the platform cancelled never signals that it has
// ended.

import { withoutExpired } from './periods.ts';

const POLL_MS = 4;
/** Lease of running work. The platform ends work after a response within this time. */
const LEASE_MS = 30_000;
/**
 * A waiting request that has not polled for this long was cancelled, such as when a map moved on.
 */
const ABSENT_MS = 250;

interface Entry {
  readonly units: number;
  /** Epoch milliseconds when the entry expires. */
  until: number;
}

export class WorkQueue {
  readonly #capacity: number;
  readonly #running = new Set<Entry>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Entry>();

  /** @param capacity units running at once; work with more units runs alone */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Units of all running work. */
  get runningUnits(): number {
    const running = withoutExpired(this.#running, LEASE_MS);
    return [...running].reduce((sum, { units }) => sum + units, 0);
  }

  /** Waits until there is capacity for the units. @returns a function that releases them */
  async enter(units: number): Promise<() => void> {
    const entry = { units, until: 0 };
    while (!this.#canRun(entry)) {
      entry.until = Date.now() + ABSENT_MS;
      this.#waiting.add(entry);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    this.#waiting.delete(entry);
    entry.until = Date.now() + LEASE_MS;
    this.#running.add(entry);
    return () => void this.#running.delete(entry);
  }

  #canRun(entry: Entry): boolean {
    const [first = entry] = withoutExpired(this.#waiting, ABSENT_MS);
    const used = this.runningUnits;
    return first === entry && (used === 0 || used + entry.units <= this.#capacity);
  }
}
