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

/** COLPAT: vertical stripes, and stripes of unknown direction. */
const STRIPED: ReadonlySet<number> = new Set([2, 5]);
/** COLPAT: horizontal stripes, and stripes of unknown direction. */
const BANDED: ReadonlySet<number> = new Set([1, 5]);

/** Marks with vertical stripes of these colours: safe water, and new dangers. */
const STRIPES = ['RW', 'UY'] as const;
/** Five or more bands that alternate, without yellow: with it, three bands are a cardinal mark. */
const MANY_BANDS = /^([^Y])([^Y])(?:\1\2)+\1$/;

/** Colours in order, one letter each; `undefined` if none is known. */
export function colorLetters(attributes: Attributes): string | undefined {
  const letters = listOf(attributes, 'COLOUR')
    .map((code) => LETTERS[code] ?? '')
    .join('');
  return letters === '' ? undefined : letters;
}

/**
 * The closest drawn combination of colours; `undefined` if no combination is similar. A part of the colours would
 * look like another mark.
 */
export function colorSuffix(acronym: string, attributes: Attributes): BuoyColorSuffix | undefined {
  const letters = colorLetters(attributes) ?? '';
  const colors = [...new Set(letters)].sort().join('');
  if (colors.length === 1) return isSuffix(colors) ? colors : undefined;
  const patterns = listOf(attributes, 'COLPAT');
  // Many records of marks with stripes do not state them.
  const isUnstated = patterns.length === 0;
  const stripes = STRIPES.find((name) => name === colors);
  if (stripes !== undefined) {
    // Red and white bands are common: only safe water marks have stripes that are not stated.
    const isImplied = acronym.endsWith('SAW') || (isUnstated && stripes !== 'RW');
    return isImplied || hasAny(patterns, STRIPED) ? stripes : undefined;
  }
  const bands = letters.replace(MANY_BANDS, '$1$2$1');
  return (isUnstated || hasAny(patterns, BANDED)) && isSuffix(bands) ? bands : undefined;
}

function isSuffix(letters: string): letters is BuoyColorSuffix {
  return (BUOY_COLOR_SUFFIXES as readonly string[]).includes(letters);
}
