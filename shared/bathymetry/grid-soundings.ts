// Reduces many soundings to a few points on a map. The cells of a grid are a few pixels wide at the
// map's zoom. Each cell becomes one point with its shallowest depth, which mariners need to know.

import { type CrowdBox, isInBox } from '../crowd/bin-area.ts';
import { mercatorX, mercatorY } from '../geo/mercator.ts';
import type { Soundings } from './soundings.ts';

/** Cells along a side of the world at zoom 0: 16 pixels each on a map with tiles of 512 pixels. */
const CELLS_AT_ZOOM_0 = 32;

export interface SoundingCell {
  /** Mean position of the soundings, so that the point lies where the boat was. */
  readonly longitude: number;
  readonly latitude: number;
  readonly count: number;
  /** Minimum and mean depth, metres. */
  readonly shallowest: number;
  readonly mean: number;
}

/** The cells of the soundings within a box, in the order of their first soundings. */
export function gridSoundings(soundings: Soundings, box: CrowdBox, zoom: number): SoundingCell[] {
  const { count, latitudes, longitudes, depths } = soundings;
  const across = CELLS_AT_ZOOM_0 * 2 ** Math.floor(zoom);
  const sums = new Map<number, Sum>();
  for (let i = 0; i < count; i++) {
    const [longitude, latitude, depth] = [longitudes[i]!, latitudes[i]!, depths[i]!];
    if (!isInBox(box, { longitude, latitude })) continue;
    const column = Math.min(Math.floor(mercatorX(longitude) * across), across - 1);
    const row = Math.min(Math.floor(mercatorY(latitude) * across), across - 1);
    const cell = row * across + column;
    const sum = sums.get(cell);
    if (sum === undefined) sums.set(cell, { longitude, latitude, count: 1, least: depth, depth });
    else add(sum, longitude, latitude, depth);
  }
  return [...sums.values()].map((sum) => ({
    longitude: sum.longitude / sum.count,
    latitude: sum.latitude / sum.count,
    count: sum.count,
    shallowest: sum.least,
    mean: sum.depth / sum.count,
  }));
}

interface Sum {
  longitude: number;
  latitude: number;
  depth: number;
  count: number;
  least: number;
}

function add(sum: Sum, longitude: number, latitude: number, depth: number): void {
  sum.longitude += longitude;
  sum.latitude += latitude;
  sum.depth += depth;
  sum.count++;
  if (depth < sum.least) sum.least = depth;
}
