// How fast a stage goes, and how long what is left of it will take at the pace of its last steps: what
// the cache has goes by at once, and says nothing of the rest.

/** Steps that the pace is told from. */
const LAST_STEPS = 60;

export class Pace {
  readonly total: number;
  #done = 0;
  /** When the last steps ended, milliseconds, the stage's beginning among them while they are few. */
  #ends: number[];

  constructor(total: number, nowMs: number) {
    this.total = total;
    this.#ends = [nowMs];
  }

  get done(): number {
    return this.#done;
  }

  step(nowMs: number): void {
    this.#done++;
    this.#ends.push(nowMs);
    if (this.#ends.length > LAST_STEPS) this.#ends = this.#ends.slice(1);
  }

  /** Steps a second; undefined where no time went by. */
  rate(): number | undefined {
    const seconds = (this.#ends.at(-1)! - this.#ends[0]!) / 1000;
    return seconds > 0 ? (this.#ends.length - 1) / seconds : undefined;
  }

  /** Such as `2.5 a second, 3 min left`; nothing where it cannot be told. */
  words(): string {
    const rate = this.rate();
    if (rate === undefined || this.#done === 0) return '';
    const left = Math.max(0, this.total - this.#done) / rate;
    return `${rateInWords(rate)}, ${timeInWords(left)} left`;
  }
}

function rateInWords(perSecond: number): string {
  const [count, unit] =
    perSecond >= 1
      ? [perSecond, 'a second']
      : perSecond * 60 >= 1
        ? [perSecond * 60, 'a minute']
        : [perSecond * 3600, 'an hour'];
  return `${count < 10 ? count.toFixed(1) : Math.round(count)} ${unit}`;
}

function timeInWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
