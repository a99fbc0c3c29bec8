// Depths, clearances and heights as integers in display units. Depths and clearances are rounded down, so
// that no text shows more depth or clearance than the chart states.

const METERS_PER_FOOT = 0.3048;
/** Tolerance for floating-point errors, in units. */
const TOLERANCE = 1e-4;
/** Truncation to decimetres loses less than 1 dm, which is 0.328 ft. Added before rounding down. */
const TRUNCATION_ALLOWANCE_FEET = 0.33;

/** Decimetres, rounded down. A depth stored as 36.999999 m gives 370. `|| 0` turns -0 into 0. */
export function decimetres(depthMeters: number): number {
  return Math.floor(depthMeters * 10 + TOLERANCE) || 0;
}

/** Feet of a depth (drying heights are negative) or of a clearance, rounded down. */
export function feetRoundedDown(meters: number): number {
  return Math.floor(meters / METERS_PER_FOOT + TOLERANCE) || 0;
}

/** Feet of a height, to the nearest. */
export function nearestFeet(meters: number): number {
  return Math.round(meters / METERS_PER_FOOT) || 0;
}

/**
 * The depth in whole feet, if it was measured in feet and stored in metres, truncated to decimetres;
 * `undefined` if no whole number of feet gives this depth.
 */
export function surveyedFeet(depthMeters: number): number | undefined {
  const magnitude = Math.abs(depthMeters);
  const feet = Math.floor(magnitude / METERS_PER_FOOT + TRUNCATION_ALLOWANCE_FEET);
  const stored = Math.floor(feet * METERS_PER_FOOT * 10 + TOLERANCE);
  if (Math.abs(stored - magnitude * 10) > TOLERANCE) return undefined;
  return depthMeters < 0 ? -feet || 0 : feet;
}
