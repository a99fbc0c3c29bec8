// What an isolate keeps, bounded by weight: the longest unused go first.

export class BoundedMemory<T> {
  readonly #most: number;
  readonly #kept = new Map<string, { readonly value: T; readonly weight: number }>();
  #held = 0;

  /** @param most bytes of all that is kept together */
  constructor(most: number) {
    this.#most = most;
  }

  recall(key: string): T | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    // Moved to the end: maps keep the order of insertion.
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  remember(key: string, value: T, weight: number): void {
    if (this.#kept.has(key) || weight > this.#most / 2) return;
    this.#kept.set(key, { value, weight });
    this.#held += weight;
    for (const old of this.#kept.keys()) {
      if (this.#held <= this.#most) break;
      this.forget(old);
    }
  }

  forget(key: string): void {
    this.#held -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
