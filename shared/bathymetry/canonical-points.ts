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
 */
export function pointSizes(soundings: Soundings): Int32Array {
  const sizes = new Int32Array(soundings.count);
  for (let i = 0; i < soundings.count; i++) sizes[i] = canonicalPoint(soundings, i).length + 1;
  return sizes;
}
