// Long work that can be interrupted and called again. It keeps its results, and pauses regularly so
// that other work on the same thread can run.

/** Thrown during such work. The next call continues from the same place. */
export class Pause extends Error {}

/** Counts work, and throws `Pause` when the given amount was done since the last pause. */
export class WorkMeter {
  readonly #mostAtOnce: number;
  #done = 0;

  constructor(mostAtOnce: number) {
    this.#mostAtOnce = mostAtOnce;
  }

  /** Call this only when no step is half done. @throws Pause */
  check(): void {
    if (this.#done < this.#mostAtOnce) return;
    this.#done = 0;
    throw new Pause();
  }

  add(work: number): void {
    this.#done += work;
  }
}
