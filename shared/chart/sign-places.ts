// Positions of an area's symbol next to its middle, if another symbol is there. Tiles contain the index (`sl`) and
// styles the pixels, so both use this table.

const ASIDE = 24;

/**
 * Pixels right and down from the middle of the area, by `sl`; 0 is the middle. First in a row, then above it,
 * because names are below.
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
