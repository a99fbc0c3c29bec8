// Bounding boxes that may cross 180°, in the various forms that catalogues use.

/** West, south, east, north in degrees. `east` is at least `west` and may exceed 180. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/**
 * The bounding box of some positions. Longitudes beyond 180° are kept. If they jump from one side
 * of 180° to the other, the box is the narrow one across it.
 */
export function boxAround(
  positions: readonly (readonly [longitude: number, latitude: number])[],
): Box | undefined {
  if (positions.length === 0) return undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let [firstEast, lastWest] = [Infinity, -Infinity];
  for (const [longitude, latitude] of positions) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    if (longitude >= 0) firstEast = Math.min(firstEast, longitude);
    else lastWest = Math.max(lastWest, longitude);
  }
  // A box around nearly the whole world is an overview cell, not a cell across 180°.
  const across = lastWest + 360 - firstEast;
  const jumps = west >= -180 && east <= 180 && east - west > 180 && across < 180;
  return jumps ? [firstEast, south, lastWest + 360, north] : [west, south, east, north];
}

/** Convert a requested box, in which west > east means that it crosses 180°. */
export function boxAcrossAntimeridian([west, south, east, north]: Box): Box {
  return [west, south, west > east ? east + 360 : east, north];
}

/** Whether two boxes overlap or touch, modulo 360°. */
export function boxesMeet(a: Box, b: Box): boolean {
  if (a[1] > b[3] || b[1] > a[3]) return false;
  return [-720, -360, 0, 360, 720].some((turn) => a[0] + turn <= b[2] && b[0] <= a[2] + turn);
}
