// Formats depths in the chosen unit.

import { METERS_PER_UNIT } from '../../../shared/style/depth-text.ts';
import type { DepthUnits } from '../../../shared/style/options.ts';

/** Tolerance for floating-point errors, as a fraction of the last digit. */
const TOLERANCE = 1e-6;

/** Number of decimals of a depth. */
export const digitsOf = (units: string): number => (units === 'feet' ? 0 : 1);

/** Number of units per metre. */
export const unitsPerMeter = (units: string): number => 1 / METERS_PER_UNIT[units as DepthUnits];

/** A charted depth without its unit, rounded down. */
export const inUnits = (meters: number, units: string): string =>
  written(meters, units, (value) => Math.floor(value + TOLERANCE));

function written(meters: number, units: string, round: (value: number) => number): string {
  const steps = 10 ** digitsOf(units);
  const rounded = round(meters * unitsPerMeter(units) * steps) / steps || 0;
  return units === 'fathoms' ? rounded.toFixed(1) : String(rounded);
}

/** A charted depth with its unit, rounded down: `4.2 m`, `13 feet`. */
export const depthText = (meters: number, units: string): string =>
  `${inUnits(meters, units)} ${unitWord(units)}`;

/** A depth that the user chose, rounded to the nearest: 10 m are `33 feet`. */
export const chosenDepthText = (meters: number, units: string): string =>
  `${written(meters, units, Math.round)} ${unitWord(units)}`;

const unitWord = (units: string): string => (units === 'meters' ? 'm' : units);
