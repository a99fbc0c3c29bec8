// Deterministic smooth noise that is the same on every machine.

const GRADIENTS = 64;
const GRADIENT_X = Float64Array.from({ length: GRADIENTS }, (_, i) => Math.cos(turn(i)));
const GRADIENT_Y = Float64Array.from({ length: GRADIENTS }, (_, i) => Math.sin(turn(i)));
/** Scales the sum of unit gradients to about −1 to 1. */
const SCALE = 1.5;

function turn(i: number): number {
  return (2 * Math.PI * (i + 0.5)) / GRADIENTS;
}

/** The contribution of the gradient at a lattice point to a position near it. */
function rise(column: number, row: number, dx: number, dy: number): number {
  let bits = Math.imul(column, 0x27d4eb2d) ^ Math.imul(row, 0x165667b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  const gradient = (bits ^ (bits >>> 15)) & (GRADIENTS - 1);
  return GRADIENT_X[gradient]! * dx + GRADIENT_Y[gradient]! * dy;
}

const ease = (t: number) => t * t * t * (t * (t * 6 - 15) + 10);

/**
 * Smooth noise from about −1 to 1 that changes over about one unit: gradient noise on a square
 * lattice (K. Perlin, "Improving noise", 2002), without visible edges along the lattice.
 */
export function noise(x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const dx = x - column;
  const dy = y - row;
  const along = ease(dx);
  const southWest = rise(column, row, dx, dy);
  const south = southWest + (rise(column + 1, row, dx - 1, dy) - southWest) * along;
  const northWest = rise(column, row + 1, dx, dy - 1);
  const north = northWest + (rise(column + 1, row + 1, dx - 1, dy - 1) - northWest) * along;
  return (south + (north - south) * ease(dy)) * SCALE;
}
