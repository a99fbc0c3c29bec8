// A request's soundings into tracks: cut where time has a gap, and where a track would be too large.

import { LIST_BYTES } from './canonical-points.ts';

export interface TrackLimits {
  /** Soundings further apart in time than this are of different tracks. */
  readonly gapMs: number;
  /** Of a track's canonical points. */
  readonly maxBytes: number;
}

/** Soundings from one index up to another. */
interface TrackCut {
  readonly from: number;
  readonly to: number;
  /** Of its canonical points. */
  readonly bytes: number;
}

/**
 * Cut sorted soundings into tracks. A single sounding that is larger than a track may be is a track
 * all the same.
 * @param times epoch milliseconds, ascending
 * @param sizes bytes that each sounding adds to its track
 */
export function splitTracks(
  times: ArrayLike<number>,
  sizes: ArrayLike<number>,
  { gapMs, maxBytes }: TrackLimits,
): TrackCut[] {
  const cuts: TrackCut[] = [];
  let from = 0;
  let bytes = LIST_BYTES;
  for (let i = 0; i < times.length; i++) {
    const size = sizes[i]!;
    const isGap = i > from && times[i]! - times[i - 1]! > gapMs;
    if (isGap || (i > from && bytes + size > maxBytes)) {
      cuts.push({ from, to: i, bytes });
      from = i;
      bytes = LIST_BYTES;
    }
    bytes += size;
  }
  if (times.length > from) cuts.push({ from, to: times.length, bytes });
  return cuts;
}

/** Where the first gap is: the soundings before it are the ones that an open track may take. */
export function firstGap(times: ArrayLike<number>, gapMs: number): number {
  let at = Math.min(1, times.length);
  while (at < times.length && times[at]! - times[at - 1]! <= gapMs) at++;
  return at;
}

/** Sums of the sizes so far, up to an index: how many fit is found by halving. */
export function runningSizes(sizes: ArrayLike<number>, to: number): Int32Array {
  const running = new Int32Array(to);
  let sum = 0;
  for (let i = 0; i < to; i++) {
    sum += sizes[i]!;
    running[i] = sum;
  }
  return running;
}
