// Splits a request's soundings into tracks: at gaps in time, and before a track becomes too large.

import { LIST_BYTES } from './canonical-points.ts';

export interface TrackLimits {
  /** Consecutive soundings with a larger difference in time belong to different tracks. */
  readonly gapMs: number;
  /** Maximum bytes of a track's canonical points. */
  readonly maxBytes: number;
}

/** The soundings from index `from` up to `to`. */
interface TrackCut {
  readonly from: number;
  readonly to: number;
  /** Bytes of its canonical points. */
  readonly bytes: number;
}

/**
 * Splits sorted soundings into tracks. A single sounding that exceeds the maximum size of a track
 * is still a track.
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

/** Index of the sounding after the first gap. An open track can take the soundings before it. */
export function firstGap(times: ArrayLike<number>, gapMs: number): number {
  let at = Math.min(1, times.length);
  while (at < times.length && times[at]! - times[at - 1]! <= gapMs) at++;
  return at;
}

/** Cumulative sizes up to an index. A binary search in them finds how many soundings fit. */
export function runningSizes(sizes: ArrayLike<number>, to: number): Int32Array {
  const running = new Int32Array(to);
  let sum = 0;
  for (let i = 0; i < to; i++) {
    sum += sizes[i]!;
    running[i] = sum;
  }
  return running;
}
