// Depths and clearances in one byte each, always rounded towards danger.

/** Never safe: land, unsurveyed, uncharted, or a danger of unknown depth. */
export const NEVER_DEEP = 0;
/** Codes up to here have steps of 0.1 m. */
const LAST_TENTHS_CODE = 200;
const SHALLOWEST_TENTHS = -40;
/** Codes up to here have steps of 0.5 m, later ones of 25 %. */
const LAST_HALVES_CODE = 228;
/** Below this, depths and clearances have steps of 0.1 m. */
export const TENTHS_BELOW_METERS = 16;
/** Deep enough for every ship. Greater depths are only informative. */
const DEEP_METERS = 30;
const DEEP_STEP = 1.25;
export const DEEPEST_CODE = 255;

/** Nothing overhead. */
export const OPEN_SKY = 255;
/** Steps of clearances, and the heights up to which they apply, in decimetres. */
const CLEARANCE_STEPS = [
  { upTo: 160, step: 1 },
  { upTo: 200, step: 2 },
  { upTo: 400, step: 5 },
  { upTo: 700, step: 10 },
  { upTo: 1260, step: 140 },
] as const;
const CLEARANCES = allClearances();

/** The clearance of each code. */
function allClearances(): readonly number[] {
  const clearances = [0];
  let decimetres = 0;
  for (const { upTo, step } of CLEARANCE_STEPS) {
    for (; decimetres < upTo; clearances.push(decimetres / 10)) decimetres += step;
  }
  return [...clearances, Number.POSITIVE_INFINITY];
}

/** The smallest depth in metres that has a code. The steps are 0.1 m from −4.0 to 15.9 m. */
export function depthOfCode(code: number): number {
  if (code <= NEVER_DEEP) return Number.NEGATIVE_INFINITY;
  if (code <= LAST_TENTHS_CODE) return (code - 1 + SHALLOWEST_TENTHS) / 10;
  if (code <= LAST_HALVES_CODE) return TENTHS_BELOW_METERS + (code - LAST_TENTHS_CODE - 1) / 2;
  return DEEP_METERS * DEEP_STEP ** (code - LAST_HALVES_CODE - 1);
}

/**
 * Code of a charted depth, rounded down. An unknown depth is never safe, nor is a depth that dries
 * by more than 4 m.
 */
export function codeOfDepth(meters: number): number {
  if (Number.isNaN(meters)) return NEVER_DEEP;
  let code: number;
  if (meters < TENTHS_BELOW_METERS) code = Math.floor(meters * 10 + 1e-6) - SHALLOWEST_TENTHS + 1;
  else if (meters < DEEP_METERS)
    code = LAST_TENTHS_CODE + 1 + Math.floor((meters - TENTHS_BELOW_METERS) * 2 + 1e-6);
  else
    code =
      LAST_HALVES_CODE +
      1 +
      Math.floor(Math.log(meters / DEEP_METERS) / Math.log(DEEP_STEP) + 1e-9);
  return Math.max(NEVER_DEEP, Math.min(DEEPEST_CODE, code));
}

/** The smallest code that is deep enough for a required depth in metres; 256 if no code is deep enough. */
export function codeForNeed(meters: number): number {
  for (let code = 1; code <= DEEPEST_CODE; code++) {
    if (depthOfCode(code) >= meters - 1e-9) return code;
  }
  return DEEPEST_CODE + 1;
}

/** The smallest clearance in metres that has a code. */
export const clearanceOfCode = (code: number): number => CLEARANCES[code]!;

/** Code of a vertical clearance, rounded down; unknown is 0. */
export function codeOfClearance(meters: number): number {
  if (meters === Number.POSITIVE_INFINITY) return OPEN_SKY;
  let code = OPEN_SKY - 1;
  while (code > 0 && !(clearanceOfCode(code) <= meters + 1e-6)) code--;
  return code;
}

/** The code of each clearance code of squares up to version 2, which counts half metres. */
const CODES_OF_HALVES = Uint8Array.from(CLEARANCES, (_, halves) =>
  halves === OPEN_SKY ? OPEN_SKY : codeOfClearance(halves / 2),
);

/** The clearance codes of a plane of a square up to version 2. */
export const codesOfHalves = (halves: Uint8Array): Uint8Array =>
  halves.map((code) => CODES_OF_HALVES[code]!);

/** The smallest clearance code that is sufficient for a required clearance in metres. */
export function clearanceForNeed(meters: number): number {
  let code = 0;
  while (clearanceOfCode(code) < meters - 1e-6) code++;
  return code;
}
