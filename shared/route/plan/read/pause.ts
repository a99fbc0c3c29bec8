// Long work that can be broken off and asked again, as it keeps what it has found: it stops now and
// then, so that whoever shares the thread has a turn.

/** Thrown in the middle of such work, where asking again goes on from. */
export class Pause extends Error {}

/** Counts work, and stops it when so much was done since it was stopped last. */
export class WorkMeter {
  readonly #mostAtOnce: number;
  #done = 0;

  constructor(mostAtOnce: number) {
    this.#mostAtOnce = mostAtOnce;
  }

  /** To be called where nothing is half done. @throws Pause */
  check(): void {
    if (this.#done < this.#mostAtOnce) return;
    this.#done = 0;
    throw new Pause();
  }

  add(work: number): void {
    this.#done += work;
  }
}
