// Distances on the WGS 84 ellipsoid: inverse problem by Vincenty (1975), iterated on the auxiliary
// sphere.

const SEMI_MAJOR_METERS = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SEMI_MINOR_METERS = SEMI_MAJOR_METERS * (1 - FLATTENING);
const SECOND_ECCENTRICITY_SQUARED = (SEMI_MAJOR_METERS / SEMI_MINOR_METERS) ** 2 - 1;
const FIRST_ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
const RADIANS = Math.PI / 180;
/**
 * Change of the longitude on the auxiliary sphere, in radians: far below a micrometre on the
 * ground.
 */
const CONVERGED = 1e-13;
const MAX_ROUNDS = 60;

/**
 * Length of the geodesic between two positions in degrees, in metres, with an error below 0.1 mm.
 * For nearly antipodal positions the iteration does not converge. The result is then half a
 * meridian ellipse, correct to one part in a thousand.
 */
export function geodesicMeters(
  longitude1: number,
  latitude1: number,
  longitude2: number,
  latitude2: number,
): number {
  if (longitude1 === longitude2 && latitude1 === latitude2) return 0;
  const difference = wrappedDegrees(longitude2 - longitude1) * RADIANS;
  const u1 = Math.atan((1 - FLATTENING) * Math.tan(latitude1 * RADIANS));
  const u2 = Math.atan((1 - FLATTENING) * Math.tan(latitude2 * RADIANS));
  const sinU1 = Math.sin(u1);
  const cosU1 = Math.cos(u1);
  const sinU2 = Math.sin(u2);
  const cosU2 = Math.cos(u2);
  let lambda = difference;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const sinLambda = Math.sin(lambda);
    const cosLambda = Math.cos(lambda);
    const across = cosU2 * sinLambda;
    const along = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda;
    const sinSigma = Math.sqrt(across * across + along * along);
    if (sinSigma === 0) return 0;
    const cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda;
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cosU1 * cosU2 * sinLambda) / sinSigma;
    const cosSquaredAlpha = 1 - sinAlpha * sinAlpha;
    // On the equator, the geodesic has no vertex.
    const cos2Middle = cosSquaredAlpha === 0 ? 0 : cosSigma - (2 * sinU1 * sinU2) / cosSquaredAlpha;
    const c = (FLATTENING / 16) * cosSquaredAlpha * (4 + FLATTENING * (4 - 3 * cosSquaredAlpha));
    const before = lambda;
    lambda =
      difference +
      (1 - c) *
        FLATTENING *
        sinAlpha *
        (sigma + c * sinSigma * (cos2Middle + c * cosSigma * (2 * cos2Middle ** 2 - 1)));
    if (Math.abs(lambda - before) > CONVERGED) continue;
    return arcMeters(cosSquaredAlpha, sigma, sinSigma, cosSigma, cos2Middle);
  }
  return (Math.PI / 2) * (SEMI_MAJOR_METERS + SEMI_MINOR_METERS);
}

function arcMeters(
  cosSquaredAlpha: number,
  sigma: number,
  sinSigma: number,
  cosSigma: number,
  cos2Middle: number,
): number {
  const u = cosSquaredAlpha * SECOND_ECCENTRICITY_SQUARED;
  const a = 1 + (u / 16384) * (4096 + u * (-768 + u * (320 - 175 * u)));
  const b = (u / 1024) * (256 + u * (-128 + u * (74 - 47 * u)));
  const inner =
    cosSigma * (2 * cos2Middle ** 2 - 1) -
    (b / 6) * cos2Middle * (4 * sinSigma ** 2 - 3) * (4 * cos2Middle ** 2 - 3);
  return SEMI_MINOR_METERS * a * (sigma - b * sinSigma * (cos2Middle + (b / 4) * inner));
}

/** Metres per degree of latitude and of longitude, from the two radii of curvature. */
export function metersPerDegree(latitude: number): {
  readonly north: number;
  readonly east: number;
} {
  const sine = Math.sin(latitude * RADIANS);
  const w = 1 - FIRST_ECCENTRICITY_SQUARED * sine * sine;
  const prime = SEMI_MAJOR_METERS / Math.sqrt(w);
  return {
    north: ((prime * (1 - FIRST_ECCENTRICITY_SQUARED)) / w) * RADIANS,
    east: prime * Math.cos(latitude * RADIANS) * RADIANS,
  };
}

/** Wrap a longitude or a difference of longitudes to −180 up to 180. */
export function wrappedDegrees(degrees: number): number {
  if (degrees >= -180 && degrees <= 180) return degrees;
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}
