// Dates of validity: DATSTA and DATEND (a fixed period), PERSTA and PEREND (a season of every
// year), S-57 Appendix A, chapter 2. A partial date means the whole year or month.

import { type Attributes, textOf } from './typed-values.ts';

export interface Period {
  readonly ds?: number;
  readonly de?: number;
  readonly ps?: number;
  readonly pe?: number;
}

/** The period of an object, as integers yyyymmdd and mmdd, without malformed dates. */
export function periodOf(attributes: Attributes): Period {
  const ds = fixedDate(textOf(attributes, 'DATSTA'), '0101');
  const de = fixedDate(textOf(attributes, 'DATEND'), '1231');
  const ps = seasonDate(textOf(attributes, 'PERSTA'), '01');
  const pe = seasonDate(textOf(attributes, 'PEREND'), '31');
  return {
    ...(ds === undefined ? {} : { ds }),
    ...(de === undefined ? {} : { de }),
    ...(ps === undefined ? {} : { ps }),
    ...(pe === undefined ? {} : { pe }),
  };
}

/** Whether a fixed period had ended before a day given as yyyymmdd. */
export function isOver({ de }: Period, day: number): boolean {
  return de !== undefined && de < day;
}

/** Whether a fixed period begins after a day given as yyyymmdd. */
export function isAhead({ ds }: Period, day: number): boolean {
  return ds !== undefined && ds > day;
}

const POSSIBLE_DATE = /^(?:1\d|2[01])\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** CCYY, CCYYMM or CCYYMMDD, completed from the end of `rest` (mmdd). */
function fixedDate(value: string | undefined, rest: string): number | undefined {
  if (value === undefined || !/^\d{4}(\d\d){0,2}$/.test(value)) return undefined;
  const date = value + rest.slice(value.length - 4);
  // An impossible date, such as 00000000, must not hide an object.
  return POSSIBLE_DATE.test(date) ? Number(date) : undefined;
}

/** The date of a season as `--MMDD` or `--MM`: a full date recurs by its month and day. */
export const everyYear = (date: string): string => date.replace(/^\d{4}(?=\d\d)/, '--');

function seasonDate(value: string | undefined, day: string): number | undefined {
  const match = /^--(\d\d)(\d\d)?$/.exec(everyYear(value ?? ''));
  return match === null ? undefined : Number(match[1]! + (match[2] ?? day));
}
