// A line before work of which an isolate can do only so much at once: who would be too much beside those
// inside waits, and the first come goes first. Requests wait by looking again: one that the platform gave
// up, as its client left, never says that it is done, and could wake no other.

import { isUnexpired } from './periods.ts';

const LOOK_AGAIN_MS = 4;
/** Work whose end went unnoticed holds its place no longer: the platform ends work behind an answer by then. */
const LEASE_MS = 30_000;
/** Nor does one that waits and looks no more, as when its client left. Maps leave by the dozen. */
const ABSENT_MS = 250;

interface Place {
  readonly units: number;
  /** Epoch milliseconds: until when it counts. */
  until: number;
}

export class WorkQueue {
  readonly #most: number;
  readonly #inside = new Set<Place>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Place>();

  /** @param most units inside at once; what is more than that alone goes in when no other is inside */
  constructor(most: number) {
    this.#most = most;
  }

  /** Units of those inside. */
  get inside(): number {
    return [...current(this.#inside, LEASE_MS)].reduce((sum, { units }) => sum + units, 0);
  }

  /** Waits until there is room for so many units. @returns what gives the place back */
  async enter(units: number): Promise<() => void> {
    const place = { units, until: 0 };
    while (!this.#lets(place)) {
      place.until = Date.now() + ABSENT_MS;
      this.#waiting.add(place);
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
    this.#waiting.delete(place);
    place.until = Date.now() + LEASE_MS;
    this.#inside.add(place);
    return () => void this.#inside.delete(place);
  }

  #lets(place: Place): boolean {
    const [first = place] = current(this.#waiting, ABSENT_MS);
    return first === place && (this.inside === 0 || this.inside + place.units <= this.#most);
  }
}

/** Those whose time has not run out; the others are taken away. */
function current(places: Set<Place>, periodMs: number): Set<Place> {
  const nowMs = Date.now();
  for (const place of places) if (!isUnexpired(nowMs, place.until, periodMs)) places.delete(place);
  return places;
}
