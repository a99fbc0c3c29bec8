// Depths and clearances in one byte each, always rounded towards danger.

/** Never safe: land, unsurveyed, uncharted, or a danger of unknown depth. */
export const NEVER_DEEP = 0;
/** Codes up to here have steps of 0.1 m. */
const LAST_TENTHS_CODE = 200;
const SHALLOWEST_TENTHS = -40;
/** Codes up to here have steps of 0.5 m, later ones of 25 %. */
const LAST_HALVES_CODE = 228;
export const HALVES_FROM_METERS = 16;
/** Deep enough for every ship. Greater depths are only informative. */
const DEEP_METERS = 30;
const DEEP_STEP = 1.25;
export const DEEPEST_CODE = 255;

/** Nothing overhead. */
export const OPEN_SKY = 255;
/** Clearance codes up to here have steps of 0.2 m. */
const LAST_FIFTHS_CODE = 100;
/** Clearance codes up to here have steps of 0.5 m, later ones of 1.5 m. */
const LAST_HIGH_HALVES_CODE = 224;

/** The smallest depth in metres that has a code. The steps are 0.1 m from −4.0 to 15.9 m. */
export function depthOfCode(code: number): number {
  if (code <= NEVER_DEEP) return Number.NEGATIVE_INFINITY;
  if (code <= LAST_TENTHS_CODE) return (code - 1 + SHALLOWEST_TENTHS) / 10;
  if (code <= LAST_HALVES_CODE) return HALVES_FROM_METERS + (code - LAST_TENTHS_CODE - 1) / 2;
  return DEEP_METERS * DEEP_STEP ** (code - LAST_HALVES_CODE - 1);
}

/**
 * Code of a charted depth, rounded down. An unknown depth is never safe, nor is a depth that dries
 * by more than 4 m.
 */
export function codeOfDepth(meters: number): number {
  if (Number.isNaN(meters)) return NEVER_DEEP;
  let code: number;
  if (meters < HALVES_FROM_METERS) code = Math.floor(meters * 10 + 1e-6) - SHALLOWEST_TENTHS + 1;
  else if (meters < DEEP_METERS)
    code = LAST_TENTHS_CODE + 1 + Math.floor((meters - HALVES_FROM_METERS) * 2 + 1e-6);
  else
    code =
      LAST_HALVES_CODE +
      1 +
      Math.floor(Math.log(meters / DEEP_METERS) / Math.log(DEEP_STEP) + 1e-9);
  return Math.max(NEVER_DEEP, Math.min(DEEPEST_CODE, code));
}

/** The smallest code that is deep enough for a required depth in metres; 256 if there is none. */
export function codeForNeed(meters: number): number {
  for (let code = 1; code <= DEEPEST_CODE; code++) {
    if (depthOfCode(code) >= meters - 1e-9) return code;
  }
  return DEEPEST_CODE + 1;
}

/**
 * The smallest clearance in metres that has a code. The steps are 0.2 m up to 20 m and 0.5 m up to
 * 82 m.
 */
export function clearanceOfCode(code: number): number {
  if (code <= LAST_FIFTHS_CODE) return code / 5;
  if (code <= LAST_HIGH_HALVES_CODE) return 20 + (code - LAST_FIFTHS_CODE) / 2;
  return code < OPEN_SKY ? 82 + (code - LAST_HIGH_HALVES_CODE) * 1.5 : Number.POSITIVE_INFINITY;
}

/** Code of a vertical clearance, rounded down; unknown is 0. */
export function codeOfClearance(meters: number): number {
  if (meters === Number.POSITIVE_INFINITY) return OPEN_SKY;
  let code = OPEN_SKY - 1;
  while (code > 0 && !(clearanceOfCode(code) <= meters + 1e-6)) code--;
  return code;
}

/** Code for a number of half metres, the clearance codes of earlier squares. */
export const codeOfHalves = (halves: number): number =>
  halves === OPEN_SKY ? OPEN_SKY : codeOfClearance(halves / 2);

/** The smallest clearance code that is sufficient for a required clearance in metres. */
export function clearanceForNeed(meters: number): number {
  let code = 0;
  while (clearanceOfCode(code) < meters - 1e-6) code++;
  return code;
}
