// Depths as integers for the tiles: decimetres, and the whole feet a depth was first measured in.

const METERS_PER_FOOT = 0.3048;

/** Decimetres, rounded: 36.999… read from a file is 37.0. */
export function decimetres(depthMeters: number): number {
  return Math.round(depthMeters * 10) || 0;
}

/**
 * Feet of a depth given in metres truncated to one decimal: soundings taken in feet come as that,
 * and a third of a foot added before truncating restores every one of them.
 */
export function wholeFeet(depthMeters: number): number {
  const feet = Math.floor(Math.abs(depthMeters) / METERS_PER_FOOT + 0.33);
  return depthMeters < 0 ? -feet || 0 : feet;
}
