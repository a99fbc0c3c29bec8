// The ground of the Lantern Isles, which do not exist: heights as one formula, from the deep ocean
// to the harbour, so that every usage band is a more or less generalised chart of the same place.

import type { Position } from '../../../shared/s57/write/cell-builder.ts';
import { noise } from './noise.ts';

/** Where the kilometres below are counted from, in degrees: open ocean in the South Atlantic. */
export const ORIGIN = { longitude: -20, latitude: -30 } as const;
const KILOMETERS_PER_DEGREE_EAST = 96.4;
const KILOMETERS_PER_DEGREE_NORTH = 110.9;
const UNITS_PER_DEGREE = 10_000_000;

/** A position from kilometres east and north of the origin. */
export function at(east: number, north: number): Position {
  return [
    Math.round((ORIGIN.longitude + east / KILOMETERS_PER_DEGREE_EAST) * UNITS_PER_DEGREE),
    Math.round((ORIGIN.latitude + north / KILOMETERS_PER_DEGREE_NORTH) * UNITS_PER_DEGREE),
  ];
}

/** A rounded rise or, below zero, a hollow: metres high, kilometres wide. */
interface Mound {
  readonly east: number;
  readonly north: number;
  readonly height: number;
  readonly width: number;
  readonly length: number;
}

const mound = (
  east: number,
  north: number,
  height: number,
  width: number,
  length = width,
): Mound => ({ east, north, height, width, length });

const MOUNDS: readonly Mound[] = [
  // Great Lantern: a long hill with two arms around Wick Bay.
  mound(0, 9.5, 330, 8, 4.5),
  mound(-8.2, 0.5, 120, 2.2, 4.2),
  mound(8.6, 1.5, 120, 2.4, 4.6),
  mound(-3.4, 2.6, 60, 1.8, 1.6),
  mound(4.6, 2.2, 52, 2.2, 1.4),
  // The floor of the bay, and the way in.
  mound(0.2, -0.6, 30, 5.5, 3),
  // Islets and shoals.
  mound(-1.9, -3.2, 48, 0.5, 0.8),
  mound(-2.3, -4.5, 42, 0.4, 0.4),
  mound(2.6, -4.1, 60, 0.9, 0.5),
  mound(5.6, -4.9, 46, 1.1, 0.6),
  mound(-4.9, -4.9, 58, 0.5, 1.1),
  mound(12.5, -7.5, 92, 1.5, 2.2),
  mound(14.4, -9.8, 55, 0.9, 1.1),
  mound(-15, -5, 68, 3.4, 1.6),
  mound(-18.6, -3.6, 74, 0.9, 0.7),
  mound(2, -14.5, 48, 5, 1.8),
  // Little Lantern and Taper to the west, Snuffer to the south-east, and the banks beyond.
  mound(-52, 14, 330, 6, 9),
  mound(-49, 2, 230, 2.5, 3.5),
  mound(-44, 24, 190, 3, 2),
  mound(48, -34, 300, 7, 4.5),
  mound(57, -30, 220, 3, 3),
  mound(-30, -52, 170, 9, 6),
  mound(40, 40, 110, 12, 7),
  mound(140, 90, 2100, 22, 14),
  mound(165, 104, 1900, 12, 16),
  mound(-260, -120, 3650, 40, 30),
  mound(-310, 60, 2600, 60, 40),
  mound(420, -300, 3300, 70, 50),
];

/** Noise by wavelength in kilometres, longest first, with its height in metres. */
const ROUGHNESS: readonly (readonly [wavelength: number, height: number])[] = [
  [90, 180],
  [24, 40],
  [6, 9],
  [2.1, 6],
  [0.8, 3],
  [0.3, 0.9],
];

/**
 * Height of the ground above chart datum, in metres.
 * @param detail kilometres; whatever is smaller is smoothed away, as a cartographer would
 */
export function heightAt([x, y]: Position, detail: number): number {
  const east = (x / UNITS_PER_DEGREE - ORIGIN.longitude) * KILOMETERS_PER_DEGREE_EAST;
  const north = (y / UNITS_PER_DEGREE - ORIGIN.latitude) * KILOMETERS_PER_DEGREE_NORTH;
  // The shelf's edge runs in and out.
  const far = Math.hypot(east, north - 4) * (1 + 0.3 * noise(east / 45 + 7, north / 45 - 3));
  const ocean = -3600 * (1 - Math.exp(-((far / 165) ** 3)));
  let height = -34 - 26 * Math.log1p(far / 14) + ocean;
  for (const { east: e, north: n, height: top, width, length } of MOUNDS) {
    height += top * Math.exp(-(((east - e) / width) ** 2) - ((north - n) / length) ** 2);
  }
  for (const [wavelength, rough] of ROUGHNESS) {
    if (wavelength < 2 * detail) continue;
    // Long waves belong to the ocean floor: near the isles they would drown the bay.
    const share = wavelength > 10 ? Math.min(1, far / 60) : 1;
    height +=
      rough * share * noise(east / wavelength + wavelength, north / wavelength - wavelength);
  }
  return height;
}
