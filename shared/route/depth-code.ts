// Depths and clearances in one byte each, always rounded towards danger.

/** Never safe: land, unsurveyed, uncharted, or a danger of unknown depth. */
export const NEVER_DEEP = 0;
const TENTHS = 200;
const SHALLOWEST_TENTHS = -40;
const HALVES = 228;
const HALVES_FROM_METERS = 16;
/** No ship needs more depth. Above this limit a code is only informative. */
const DEEP_METERS = 30;
const DEEP_STEP = 1.25;
const DEEPEST_CODE = 255;

/** Nothing overhead. */
export const OPEN_SKY = 255;

/**
 * Least metres of a code. The steps are 0.1 m from −4.0 to 15.9 m, 0.5 m up to 29.5 m, then 25 %.
 */
export function depthOfCode(code: number): number {
  if (code <= NEVER_DEEP) return Number.NEGATIVE_INFINITY;
  if (code <= TENTHS) return (code - 1 + SHALLOWEST_TENTHS) / 10;
  if (code <= HALVES) return HALVES_FROM_METERS + (code - TENTHS - 1) / 2;
  return DEEP_METERS * DEEP_STEP ** (code - HALVES - 1);
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
    code = TENTHS + 1 + Math.floor((meters - HALVES_FROM_METERS) * 2 + 1e-6);
  else code = HALVES + 1 + Math.floor(Math.log(meters / DEEP_METERS) / Math.log(DEEP_STEP) + 1e-9);
  return Math.max(NEVER_DEEP, Math.min(DEEPEST_CODE, code));
}

/** Least code that is deep enough for a need in metres; 256 if no code is. */
export function codeForNeed(meters: number): number {
  for (let code = 1; code <= DEEPEST_CODE; code++) {
    if (depthOfCode(code) >= meters - 1e-9) return code;
  }
  return DEEPEST_CODE + 1;
}

/** Code of a vertical clearance in steps of 0.5 m, rounded down; unknown is 0. */
export function codeOfClearance(meters: number): number {
  if (Number.isNaN(meters)) return 0;
  if (meters === Number.POSITIVE_INFINITY) return OPEN_SKY;
  return Math.max(0, Math.min(OPEN_SKY - 1, Math.floor(meters * 2 + 1e-6)));
}

/** Least clearance code that is sufficient for a need in metres. */
export function clearanceForNeed(meters: number): number {
  return Math.min(OPEN_SKY, Math.max(0, Math.ceil(meters * 2 - 1e-6)));
}
