// Rhumb lines on the WGS 84 ellipsoid: lines of constant course, which are straight on a Mercator
// chart.

import { geodesicMeters, metersPerDegree, wrappedDegrees } from './geodesic.ts';

const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const RADIANS = Math.PI / 180;
/** Below this difference in latitude, the line is measured along a parallel. */
const LEVEL_DEGREES = 1e-6;

export interface Rhumb {
  readonly meters: number;
  /** Degrees true, from 0 up to 360. */
  readonly course: number;
}

/** The rhumb line between two positions in degrees, in the shorter direction. */
export function rhumbBetween(
  longitude1: number,
  latitude1: number,
  longitude2: number,
  latitude2: number,
): Rhumb {
  const east = wrappedDegrees(longitude2 - longitude1);
  const north = latitude2 - latitude1;
  const radians = Math.atan2(east * RADIANS, isometric(latitude2) - isometric(latitude1));
  const course = ((radians / RADIANS) % 360) + (radians < 0 ? 360 : 0);
  const isLevel = Math.abs(north) < LEVEL_DEGREES;
  const meters = isLevel
    ? Math.abs(east) * metersPerDegree((latitude1 + latitude2) / 2).east
    : // A meridian is a geodesic.
      geodesicMeters(0, latitude1, 0, latitude2) / Math.abs(Math.cos(radians));
  return { meters, course: course === 360 ? 0 : course };
}

/** Isometric latitude (Mercator's y), in radians at the equator. */
function isometric(latitude: number): number {
  const sine = Math.sin(latitude * RADIANS);
  return Math.atanh(sine) - ECCENTRICITY * Math.atanh(ECCENTRICITY * sine);
}
