// Colours of marks: one letter each, from S-57 COLOUR, and the suffix of the closest coloured
// paper-chart buoy (with COLPAT).

import { BUOY_COLOR_SUFFIXES, type BuoyColorSuffix } from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { hasAny, listOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/**
 * COLOUR: white, black, red, green, blue, yellow, grey, brown, amber, violet, orange, magenta,
 * pink.
 */
const LETTERS = ['', 'W', 'B', 'R', 'G', 'U', 'Y', 'E', 'N', 'A', 'V', 'O', 'M', 'P'];

/** COLPAT 2 is vertical stripes. */
const VERTICAL: ReadonlySet<number> = new Set([2]);

/** Colours in order, one letter each; `undefined` if none is known. */
export function colorLetters(attributes: Attributes): string | undefined {
  const letters = listOf(attributes, 'COLOUR')
    .map((code) => LETTERS[code] ?? '')
    .join('');
  return letters === '' ? undefined : letters;
}

/** The closest drawn combination of colours; `undefined` if no combination is similar. */
export function colorSuffix(attributes: Attributes): BuoyColorSuffix | undefined {
  const letters = colorLetters(attributes);
  if (letters === undefined) return undefined;
  const isStriped = hasAny(listOf(attributes, 'COLPAT'), VERTICAL);
  if (isStriped && /^[RW]+$/.test(letters) && letters.length > 1) return 'RW';
  return [letters, letters.slice(0, 2), letters.slice(0, 1)].find(isSuffix);
}

function isSuffix(letters: string): letters is BuoyColorSuffix {
  return (BUOY_COLOR_SUFFIXES as readonly string[]).includes(letters);
}
