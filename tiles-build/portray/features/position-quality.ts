// Quality of position, from the spatial records of an object (S-57 QUAPOS; S-52 QUALIN01 and
// QUAPNT02 in our own words). Every value except surveyed, precisely known and calculated is
// doubtful.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

const SURVEYED = 1;
const PRECISELY_KNOWN = 10;
const CALCULATED = 11;

export function isLowAccuracy(spatial: Attributes): boolean {
  const quality = numberOf(spatial, 'QUAPOS');
  return (
    quality !== undefined &&
    quality !== SURVEYED &&
    quality !== PRECISELY_KNOWN &&
    quality !== CALCULATED
  );
}

const MARKS: Readonly<Record<number, string>> = { 4: 'PA', 5: 'PD', 7: 'rep', 8: 'rep' };

/** The abbreviation that charts print at a doubtful point: PA, PD or rep; otherwise `undefined`. */
export function doubtMark(spatial: Attributes): string | undefined {
  return MARKS[numberOf(spatial, 'QUAPOS') ?? 0];
}
