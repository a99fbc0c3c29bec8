// Great-circle distances on the sphere with the mean radius of WGS 84.

/** Mean earth radius (IUGG), metres. */
export const EARTH_RADIUS_METERS = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Great-circle distance in metres between two positions in degrees (haversine). */
export function distanceMeters(
  longitude1: number,
  latitude1: number,
  longitude2: number,
  latitude2: number,
): number {
  const dLat = (latitude2 - latitude1) * RADIANS;
  const dLon = (longitude2 - longitude1) * RADIANS;
  const a =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(latitude1 * RADIANS) * Math.cos(latitude2 * RADIANS) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(a)));
}
