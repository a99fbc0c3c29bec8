// A queue for work that an isolate can do only a limited amount of at once. Clients take turns, so that
// one with many requests does not delay the others. Requests poll instead of waking one another: a
// request that the platform cancelled never signals that it has ended.

import { isUnexpired, withoutExpired } from './periods.ts';

/** The time between two polls. It grows if more requests of a client, or more clients, wait than `FAST_POLLS`. */
const POLL_MS = 4;
const MAX_POLL_MS = 40;
const FAST_POLLS = 32;
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
  /** Clients in the order of their turns, and their requests in the order of arrival. */
  readonly #waiting = new Map<string, Set<Entry>>();

  /** @param capacity units running at once; work with more units runs alone */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Units of all running work. */
  get runningUnits(): number {
    const running = withoutExpired(this.#running, LEASE_MS);
    return [...running].reduce((sum, { units }) => sum + units, 0);
  }

  /**
   * Waits until there is capacity for the units.
   * @param client whose turn it is, for example a network
   * @returns a function that releases the units
   */
  async enter(units: number, client = ''): Promise<() => void> {
    const entry = { units, until: 0 };
    for (;;) {
      const isNext = this.#isNext(entry);
      if (isNext && this.#hasCapacity(units)) break;
      entry.until = Date.now() + ABSENT_MS;
      const own = this.#waiting.get(client) ?? new Set();
      this.#waiting.set(client, own.add(entry));
      const crowd = Math.max(own.size, this.#waiting.size) / FAST_POLLS;
      const pollMs = Math.min(POLL_MS * Math.max(1, crowd), MAX_POLL_MS);
      await new Promise((done) => setTimeout(done, isNext ? POLL_MS : pollMs));
    }
    this.#endTurn(entry, client);
    entry.until = Date.now() + LEASE_MS;
    this.#running.add(entry);
    return () => void this.#running.delete(entry);
  }

  #isNext(entry: Entry): boolean {
    const nowMs = Date.now();
    for (const [client, entries] of this.#waiting) {
      for (const first of entries) {
        if (isUnexpired(nowMs, first.until, ABSENT_MS)) return first === entry;
        entries.delete(first);
      }
      this.#waiting.delete(client);
    }
    return true;
  }

  #hasCapacity(units: number): boolean {
    const used = this.runningUnits;
    return used === 0 || used + units <= this.#capacity;
  }

  #endTurn(entry: Entry, client: string): void {
    const others = this.#waiting.get(client);
    this.#waiting.delete(client);
    others?.delete(entry);
    if (others !== undefined && others.size > 0) this.#waiting.set(client, others);
  }
}
