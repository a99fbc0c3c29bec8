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

/** COLPAT: vertical stripes; the same and stripes of unknown direction. */
const VERTICAL: ReadonlySet<number> = new Set([2]);
const STRIPED: ReadonlySet<number> = new Set([2, 5]);

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
  const patterns = listOf(attributes, 'COLPAT');
  const isVertical = hasAny(patterns, VERTICAL);
  if (isVertical && /^[RW]+$/.test(letters) && letters.length > 1) return 'RW';
  // RW means stripes, which many records of safe water marks do not state. All others mean bands.
  const mayBeStriped = patterns.length === 0 || hasAny(patterns, STRIPED);
  const ofSeveral = [letters, letters.slice(0, 2)].filter((name) =>
    name === 'RW' ? mayBeStriped : !isVertical,
  );
  return [...ofSeveral, letters.slice(0, 1)].find(isSuffix);
}

function isSuffix(letters: string): letters is BuoyColorSuffix {
  return (BUOY_COLOR_SUFFIXES as readonly string[]).includes(letters);
}
