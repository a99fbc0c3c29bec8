// The speed of a stage and its remaining time, estimated from the last steps. Earlier steps may have
// been in the cache and are not representative.

/** Number of steps for the estimate. */
const LAST_STEPS = 60;

export class Pace {
  readonly total: number;
  #done = 0;
  /** End times of the last steps in milliseconds; at first also the start of the stage. */
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

  /** Steps per second; `undefined` if no time has passed. */
  rate(): number | undefined {
    const seconds = (this.#ends.at(-1)! - this.#ends[0]!) / 1000;
    return seconds > 0 ? (this.#ends.length - 1) / seconds : undefined;
  }

  /** Text such as `2.5 per second, 3 min left`; empty if it is unknown. */
  text(): string {
    const rate = this.rate();
    if (rate === undefined || this.#done === 0) return '';
    const left = Math.max(0, this.total - this.#done) / rate;
    return `${rateText(rate)}, ${durationText(left)} left`;
  }
}

function rateText(perSecond: number): string {
  const [count, unit] =
    perSecond >= 1
      ? [perSecond, 'per second']
      : perSecond * 60 >= 1
        ? [perSecond * 60, 'per minute']
        : [perSecond * 3600, 'per hour'];
  return `${count < 10 ? count.toFixed(1) : Math.round(count)} ${unit}`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
