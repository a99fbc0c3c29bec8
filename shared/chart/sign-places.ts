// Where the sign of an area stands when another has its place: beside it, by number. Tiles hold the
// number (`sl`) and styles the pixels, so that both must agree: this is the one table.

const ASIDE = 24;

/**
 * Pixels right and down from the middle of the area, by `sl`; 0 is that middle. In a row first, then
 * above it: names stand below.
 */
export const SIGN_PLACES: readonly (readonly [right: number, down: number])[] = [
  [0, 0],
  [ASIDE, 0],
  [-ASIDE, 0],
  [0, -ASIDE],
  [ASIDE, -ASIDE],
  [-ASIDE, -ASIDE],
  [2 * ASIDE, 0],
  [-2 * ASIDE, 0],
  [0, ASIDE],
];
