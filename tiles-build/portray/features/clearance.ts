// Vertical clearance of bridges and of what hangs over the water: the least that applies as a
// number, and the text charts print beside it, in metres and in feet.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { feetRoundedDown } from '../../../shared/s57/vocabulary/depth-units.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

export interface Clearance {
  readonly vc: number;
  readonly tx: string;
  readonly tf: string;
}

/** Attributes in the order they are printed, with what is printed before the number. */
const CLEARANCES = [
  ['VERCCL', 'clr cl'],
  ['VERCOP', 'clr op'],
  ['VERCLR', 'clr'],
  ['VERCSA', 'sf clr'],
] as const;

/** Undefined where no clearance is known. VERCLR is left out where closed or open says more. */
export function clearanceOf(attributes: Attributes): Clearance | undefined {
  const isOpening =
    numberOf(attributes, 'VERCCL') !== undefined || numberOf(attributes, 'VERCOP') !== undefined;
  const known = CLEARANCES.flatMap(([acronym, label]) => {
    const meters = numberOf(attributes, acronym);
    return meters === undefined || (isOpening && acronym === 'VERCLR') ? [] : [{ label, meters }];
  });
  if (known.length === 0) return undefined;
  return {
    vc: Math.min(...known.map(({ meters }) => meters)),
    tx: known.map(({ label, meters }) => `${label} ${meters}`).join(' '),
    tf: known.map(({ label, meters }) => `${label} ${feetRoundedDown(meters)}`).join(' '),
  };
}
