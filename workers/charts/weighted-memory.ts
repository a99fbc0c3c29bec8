// What an isolate remembers, bounded by its weight: the longest unused goes first.

export class WeightedMemory<T> {
  readonly #most: number;
  readonly #held = new Map<string, { readonly value: T; readonly weight: number }>();
  #weight = 0;

  /** @param most weight of everything together */
  constructor(most: number) {
    this.#most = most;
  }

  recall(key: string): T | undefined {
    const found = this.#held.get(key);
    if (found === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, found);
    return found.value;
  }

  /** What would take half of the room alone is not kept. */
  remember(key: string, value: T, weight: number): void {
    if (this.#held.has(key) || weight > this.#most / 2) return;
    this.#held.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldKey, old] of this.#held) {
      if (this.#weight <= this.#most) break;
      this.#held.delete(oldKey);
      this.#weight -= old.weight;
    }
  }
}
