// A track's points as JSON with exactly one spelling. Responses contain this text. The size of a
// track is the size of this text, regardless of how the track is stored.

import type { Soundings } from './soundings.ts';

/** Bytes of the list's brackets. */
export const LIST_BYTES = 2;

/** `[{"latitude":…,"longitude":…,"depth":…,"time":…},…]` */
export function canonicalPoints(soundings: Soundings): string {
  const points: string[] = [];
  for (let i = 0; i < soundings.count; i++) points.push(canonicalPoint(soundings, i));
  return `[${points.join(',')}]`;
}

/** The same text as JSON.stringify, because all numbers of a sounding are finite. */
function canonicalPoint({ latitudes, longitudes, depths, times }: Soundings, i: number): string {
  return `{"latitude":${latitudes[i]},"longitude":${longitudes[i]},"depth":${depths[i]},"time":${times[i]}}`;
}

/**
 * Bytes that each point adds to a list: its text, which is ASCII, and a comma. So a list of n
 * points takes 2 + Σ. This counts one comma that does not exist, for every track alike.
 * @param from,end range of indices, `end` exclusive; all points by default
 */
export function pointSizes(soundings: Soundings, from = 0, end = soundings.count): Int32Array {
  const sizes = new Int32Array(end - from);
  for (let i = from; i < end; i++) sizes[i - from] = canonicalPoint(soundings, i).length + 1;
  return sizes;
}
