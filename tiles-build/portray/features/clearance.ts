// Vertical clearance of bridges and of lines over the water: the least one as a number, and the
// text that charts print, in metres and in feet.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { decimetres, feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

export interface Clearance {
  readonly vc: number;
  readonly tx: string;
  readonly tf: string;
}

/** Attributes in the order in which they are printed, with the label before the number. */
const CLEARANCES = [
  ['VERCCL', 'clr cl'],
  ['VERCOP', 'clr op'],
  ['VERCLR', 'clr'],
  ['VERCSA', 'sf clr'],
] as const;

/** `undefined` if no clearance is known. VERCLR is omitted if the closed clearance is known. */
export function clearanceOf(attributes: Attributes): Clearance | undefined {
  const isClosedKnown = numberOf(attributes, 'VERCCL') !== undefined;
  const known = CLEARANCES.flatMap(([acronym, label]) => {
    const meters = numberOf(attributes, acronym);
    return meters === undefined || (isClosedKnown && acronym === 'VERCLR')
      ? []
      : [{ label, meters }];
  });
  if (known.length === 0) return undefined;
  return {
    vc: Math.min(...known.map(({ meters }) => meters)),
    tx: known.map(({ label, meters }) => `${label} ${decimetres(meters) / 10}`).join(' '),
    tf: known.map(({ label, meters }) => `${label} ${feetRoundedDown(meters)}`).join(' '),
  };
}
