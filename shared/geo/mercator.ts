// Converts longitude and latitude to the unit square of Web Mercator (y downwards) and back.

/** Latitude at which the square ends (EPSG:3857). */
export const MAX_LATITUDE = 85.0511287798066;

const RADIANS = Math.PI / 180;

/** @returns 0 at −180°, 1 at 180°; outside this range for unwrapped longitudes */
export function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** @returns 0 at the northern edge, 1 at the southern; clamped */
export function mercatorY(latitude: number): number {
  return mercatorYWithin(MAX_LATITUDE, latitude);
}

/** The poles are at infinity, so latitudes are limited to this one. */
const NEAR_POLE = 89.9999;

/** Like `mercatorY` without clamping: below 0 north of the square, above 1 south of it. */
export function unboundedMercatorY(latitude: number): number {
  return mercatorYWithin(NEAR_POLE, latitude);
}

function mercatorYWithin(limit: number, latitude: number): number {
  const clamped = Math.max(-limit, Math.min(limit, latitude));
  const sine = Math.sin(clamped * RADIANS);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function longitudeAt(x: number): number {
  return (x - 0.5) * 360;
}

export function latitudeAt(y: number): number {
  return Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / RADIANS;
}
