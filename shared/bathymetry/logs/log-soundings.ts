// Collects the soundings of a log, by what their depths are measured from.

import { isWithin, MAX_FAULTS, type SoundingLimits } from '../sounding-limits.ts';
import { growingColumns, type Soundings } from '../soundings.ts';
import { type DEPTH_REFERENCES, OFFSET_RANGES } from '../transducer.ts';

export type DepthReference = (typeof DEPTH_REFERENCES)[number];

/** A position with its time. */
export interface Fix {
  readonly place: readonly [latitude: number, longitude: number];
  /** Epoch milliseconds. */
  readonly time: number;
}

export interface LogFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** The log has more soundings than a request may have. */
export class TooManySoundings extends Error {}

/** The start of GPS time. Earlier times are epoch seconds, or of a clock that was not set. */
export const FIRST_TIME = Date.UTC(1980, 0, 6);

export class LogSoundings {
  readonly #limits: SoundingLimits;
  /** The reference to use if the log has it; by default the most frequent one. */
  readonly wanted: DepthReference | undefined;
  readonly #columns = new Map<DepthReference, ReturnType<typeof growingColumns>>();
  readonly #counts = new Map<DepthReference, number>();
  readonly faults: LogFault[] = [];
  /** Lines, or soundings, that were not used. */
  ignored = 0;
  #transducerDepth: number | undefined;

  constructor(limits: SoundingLimits, wanted?: DepthReference) {
    this.#limits = limits;
    this.wanted = wanted;
  }

  /** Epoch milliseconds. */
  get latestTime(): number {
    return this.#limits.latestTime;
  }

  /** Metres from the waterline to the transducer, if the log states it. */
  get transducerDepth(): number | undefined {
    return this.#transducerDepth;
  }

  /** The first possible value counts. @param meters from the waterline to the transducer */
  setTransducerDepth(meters: number): void {
    const [least, most] = OFFSET_RANGES.transducerDepth;
    if (isWithin(meters, least, most)) this.#transducerDepth ??= meters;
  }

  fault(line: number, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ line, message });
  }

  /**
   * @param depth metres
   * @param time epoch milliseconds
   * @returns what is wrong with the sounding, which is then not added
   * @throws TooManySoundings
   */
  add(
    reference: DepthReference,
    [latitude, longitude]: readonly [number, number],
    depth: number,
    time: number,
  ): string | undefined {
    const { maxSoundings, minDepthMeters, maxDepthMeters, earliestTime, latestTime } = this.#limits;
    if (!isWithin(latitude, -90, 90)) return 'latitude must be a number from -90 to 90';
    if (!isWithin(longitude, -180, 180)) return 'longitude must be a number from -180 to 180';
    if (!isWithin(depth, minDepthMeters, maxDepthMeters)) {
      return `depth must be from ${minDepthMeters} to ${maxDepthMeters} metres`;
    }
    if (!isWithin(time, Math.max(earliestTime, FIRST_TIME), latestTime))
      return 'time is outside the accepted range; write epoch times in milliseconds';
    const count = (this.#counts.get(reference) ?? 0) + 1;
    if (count > maxSoundings) throw new TooManySoundings();
    this.#counts.set(reference, count);
    const columns = this.#columns.get(reference) ?? growingColumns();
    this.#columns.set(reference, columns);
    // Adding 0 converts −0 to +0.
    columns.add(latitude + 0, longitude + 0, depth + 0, Math.floor(time));
    return undefined;
  }

  /**
   * The soundings with one reference; the others count as ignored. Among references with about the same count, one
   * from which the depth below the waterline is known.
   */
  all(): { readonly reference: DepthReference; readonly soundings: Soundings } | undefined {
    const score = ([reference, count]: readonly [DepthReference, number]) =>
      count * this.#weightOf(reference);
    const [best, ...others] = [...this.#counts].sort((a, b) => score(b) - score(a));
    if (best === undefined) return undefined;
    for (const [, count] of others) this.ignored += count;
    return { reference: best[0], soundings: this.#columns.get(best[0])!.all() };
  }

  /** If the log lacks the wanted reference, it is that of the depths that a sounder states below its transducer. */
  #weightOf(reference: DepthReference): number {
    if (reference === this.wanted) return Number.POSITIVE_INFINITY;
    const isKnown = (this.wanted ?? this.#transducerDepth) !== undefined;
    if (reference === 'transducer') return isKnown ? 1.1 : 1;
    return reference === 'waterline' && this.wanted === undefined ? 1.2 : 1;
  }
}
