// A track's points as JSON, in one spelling only: what a track is answered as, and what its size is
// counted in, wherever and however it is kept.

import type { Soundings } from './soundings.ts';

/** Brackets of the list. */
export const LIST_BYTES = 2;

/** `[{"latitude":…,"longitude":…,"depth":…,"time":…},…]` */
export function canonicalPoints(soundings: Soundings): string {
  const points: string[] = [];
  for (let i = 0; i < soundings.count; i++) points.push(canonicalPoint(soundings, i));
  return `[${points.join(',')}]`;
}

/** As JSON.stringify writes a sounding; no number of one can be other than finite. */
function canonicalPoint({ latitudes, longitudes, depths, times }: Soundings, i: number): string {
  return `{"latitude":${latitudes[i]},"longitude":${longitudes[i]},"depth":${depths[i]},"time":${times[i]}}`;
}

/**
 * Bytes that each point adds to a list: its own, all ASCII, and a comma. So a list of n points takes
 * 2 + Σ, which counts one comma that is not there: the same for every track.
 * @param from,end those from one index to before another; all where they are not given
 */
export function pointSizes(soundings: Soundings, from = 0, end = soundings.count): Int32Array {
  const sizes = new Int32Array(end - from);
  for (let i = from; i < end; i++) sizes[i - from] = canonicalPoint(soundings, i).length + 1;
  return sizes;
}
