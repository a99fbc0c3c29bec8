// Depths, clearances and heights as integers of a chart's units. Depths and clearances are rounded down,
// so that no text shows more water or more height than is charted.

const METERS_PER_FOOT = 0.3048;
/** Part of a unit by which numbers from files and binary fractions may be off. */
const TOLERANCE = 1e-4;
/** More than is lost of a foot by truncating it to a decimetre, and less than one. */
const TRUNCATED_FEET = 0.33;

/** Decimetres, rounded down: 36.999999 read from a file is 37.0 m. */
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
 * The whole feet that were truncated to these decimetres, as soundings taken in feet are stored;
 * `undefined` if no whole number of feet gives this depth.
 */
export function surveyedFeet(depthMeters: number): number | undefined {
  const magnitude = Math.abs(depthMeters);
  const feet = Math.floor(magnitude / METERS_PER_FOOT + TRUNCATED_FEET);
  const stored = Math.floor(feet * METERS_PER_FOOT * 10 + TOLERANCE);
  if (Math.abs(stored - magnitude * 10) > TOLERANCE) return undefined;
  return depthMeters < 0 ? -feet || 0 : feet;
}
