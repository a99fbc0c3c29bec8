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
  ['VERCLR', 'clr'],
  ['VERCSA', 'sf clr'],
  ['VERCOP', 'clr op'],
] as const;

/** `undefined` if no clearance is known. Of VERCLR and VERCCL, which are both of the closed bridge, the lesser is given. */
export function clearanceOf(attributes: Attributes): Clearance | undefined {
  const [always = Infinity, closed = Infinity] = ['VERCLR', 'VERCCL'].map((acronym) =>
    numberOf(attributes, acronym),
  );
  const omitted = always < closed ? 'VERCCL' : 'VERCLR';
  const known = CLEARANCES.flatMap(([acronym, label]) => {
    const meters = acronym === omitted ? undefined : numberOf(attributes, acronym);
    return meters === undefined ? [] : [{ label, meters }];
  });
  if (known.length === 0) return undefined;
  return {
    vc: Math.min(...known.map(({ meters }) => meters)),
    tx: known.map(({ label, meters }) => `${label} ${decimetres(meters) / 10}`).join(' '),
    tf: known.map(({ label, meters }) => `${label} ${feetRoundedDown(meters)}`).join(' '),
  };
}
