// Depths, heights and directions as text in the reader's unit. Depths and clearances are rounded down.

import { bearingText } from '../s57/vocabulary/bearings.ts';
import { decimetres, feetRoundedDown, nearestFeet } from '../s57/vocabulary/depth-units.ts';

/** The unit of depths that the reader chose, by its name in base.json. */
export type ReaderUnits = 'meters' | 'feet' | 'fathoms';

const FEET_PER_FATHOM = 6;

/** `7.3 m`, `23 ft` or `3 fathoms 5 ft`, rounded towards less water. A drying height has no sign. */
export function depthWords(meters: number, units: ReaderUnits): string {
  if (units === 'meters') return `${Math.abs(decimetres(meters)) / 10} m`;
  const feet = Math.abs(feetRoundedDown(meters));
  if (units === 'feet' || feet < FEET_PER_FATHOM) return `${feet} ft`;
  const fathoms = `${Math.floor(feet / FEET_PER_FATHOM)} fathoms`.replace(/^1 fathoms/, '1 fathom');
  return feet % FEET_PER_FATHOM === 0 ? fathoms : `${fathoms} ${feet % FEET_PER_FATHOM} ft`;
}

/** Clearances, rounded down. Charts in fathoms have clearances in feet. */
export const clearanceWords = (meters: number, units: ReaderUnits): string =>
  units === 'meters' ? `${decimetres(meters) / 10} m` : `${feetRoundedDown(meters)} ft`;

/** Heights and lengths, rounded to the nearest. */
export const heightWords = (meters: number, units: ReaderUnits): string =>
  units === 'meters' ? `${Math.round(meters * 10) / 10} m` : `${nearestFeet(meters)} ft`;

/** `005°`, `045.25°`. */
export const degreesWords = (degrees: number): string => bearingText(degrees, 100);

/** `1 knot`, `2.5 knots`. */
export const counted = (value: number, unit: string): string =>
  `${value} ${unit}${value === 1 ? '' : 's'}`;

const MONTHS =
  'January February March April May June July August September October November December';

/** CCYY[MM[DD]] as `1 May 2026`; --MM[DD] is a date of every year, `1 May`. Other text is unchanged. */
export function dateWords(text: string): string {
  const [, year, month, day] = /^(\d{4}|--(?=\d))(\d\d)?(\d\d)?$/.exec(text) ?? [];
  const name = MONTHS.split(' ')[Number(month) - 1];
  if (year === undefined || (month !== undefined && name === undefined)) return text;
  const words = [day === undefined ? undefined : String(Number(day)), name, year];
  return words.filter((word) => word !== undefined && word !== '--').join(' ');
}
