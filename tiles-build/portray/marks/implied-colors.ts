// Colours of marks without COLOUR, as the IALA Maritime Buoyage System prescribes them for their purpose.

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/** COLOUR. */
const WHITE = 1;
const BLACK = 2;
const RED = 3;
const GREEN = 4;
const YELLOW = 6;
/** COLPAT. */
const VERTICAL = 2;
/** MARSYS. */
export const REGION_A = 1;
export const REGION_B = 2;

/** CATLAM: port, starboard, preferred channel to starboard, preferred channel to port, in region A. */
const LATERAL: readonly (readonly number[])[] = [
  [RED],
  [GREEN],
  [RED, GREEN, RED],
  [GREEN, RED, GREEN],
];

/** CATCAM: north, east, south, west. */
const CARDINAL: readonly (readonly number[])[] = [
  [BLACK, YELLOW],
  [BLACK, YELLOW, BLACK],
  [YELLOW, BLACK],
  [YELLOW, BLACK, YELLOW],
];

/**
 * The attributes of a mark, with COLOUR if only its purpose is given.
 *
 * @param systemOf MARSYS at the mark, `undefined` if unknown. A lateral mark outside regions A and B gets no colour.
 */
export function withImpliedColors(
  acronym: string,
  attributes: Attributes,
  systemOf: () => number | undefined,
): Attributes {
  if (listOf(attributes, 'COLOUR').length > 0) return attributes;
  switch (acronym.slice(3)) {
    case 'LAT': {
      const colors = LATERAL[(numberOf(attributes, 'CATLAM') ?? 0) - 1];
      return colored(attributes, colors && inRegion(colors, systemOf()));
    }
    case 'CAR':
      return colored(attributes, CARDINAL[(numberOf(attributes, 'CATCAM') ?? 0) - 1]);
    case 'ISD':
      return colored(attributes, [BLACK, RED, BLACK]);
    case 'SAW':
      return { ...colored(attributes, [RED, WHITE]), COLPAT: [VERTICAL] };
    default:
      return attributes;
  }
}

const colored = (attributes: Attributes, COLOUR: readonly number[] | undefined): Attributes =>
  COLOUR === undefined ? attributes : { ...attributes, COLOUR };

function inRegion(colors: readonly number[], system: number | undefined) {
  if (system === REGION_A) return colors;
  return system === REGION_B ? colors.map((color) => (color === RED ? GREEN : RED)) : undefined;
}
