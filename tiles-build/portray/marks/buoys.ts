// Symbols of buoys: a simplified one by purpose, and a paper-chart one by shape and colour (S-57
// BOYSHP, CATLAM, CATCAM, CATSPM).

import type { PaperBuoySymbol, SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { hasAny, listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { Decision } from '../features/class-rule.ts';
import { REGION_A, REGION_B } from './implied-colors.ts';
import { colorLetters, colorSuffix } from './mark-colors.ts';

/** BOYSHP. */
export const CONICAL = 1;
export const CAN = 2;
const SPAR = 5;
const SUPERBUOY = 7;

const SHAPES: Readonly<Record<number, PaperBuoySymbol>> = {
  [CONICAL]: 'BOYCON01',
  [CAN]: 'BOYCAN01',
  3: 'BOYSPH01',
  4: 'BOYPIL01',
  [SPAR]: 'BOYSPR01',
  6: 'BOYBAR01',
  [SUPERBUOY]: 'BOYSUP01',
  8: 'BOYSPR01',
};

/** CATSPM: mooring; large navigational buoy. */
const MOORING: ReadonlySet<number> = new Set([14]);
const LARGE: ReadonlySet<number> = new Set([15]);

const RED = 'R';
const GREEN = 'G';

/**
 * CATLAM 1 and 3 are port-hand (can), 2 and 4 starboard-hand (cone), in all regions. The others are sides of a
 * waterway in inland charts: the right-hand one has cans, the left-hand one cones.
 */
const CANS: ReadonlySet<number> = new Set([1, 3, 5, 7, 15, 17, 19, 21]);
const CONES: ReadonlySet<number> = new Set([2, 4, 6, 8, 16, 18, 20, 22]);

/** Paper-chart symbol and colours; `acronym` distinguishes moorings and installations. */
export function paperBuoy(acronym: string, attributes: Attributes): Decision {
  const base = paperShape(acronym, attributes);
  const suffix = colorSuffix(acronym, attributes);
  return { sp: suffix === undefined ? base : `${base}-${suffix}`, co: colorLetters(attributes) };
}

/**
 * Simplified symbol of a buoy.
 *
 * @param systemOf MARSYS at the buoy, `undefined` if unknown
 */
export function simplifiedBuoy(
  acronym: string,
  attributes: Attributes,
  systemOf: () => number | undefined,
): SymbolName {
  switch (acronym) {
    case 'BOYLAT':
      return lateralBuoy(attributes, systemOf);
    case 'BOYCAR':
      return cardinal(attributes, 'BOYCAR', 'BOYDEF03');
    case 'BOYISD':
      return 'BOYISD12';
    case 'BOYSAW':
      return 'BOYSAW12';
    case 'BOYINB':
      return 'BOYSUP02';
    case 'BOYSPP':
      return specialBuoy(attributes);
    default:
      return 'BOYDEF03';
  }
}

/** CATCAM 1 to 4: north, east, south, west. */
export function cardinal<Default extends SymbolName>(
  attributes: Attributes,
  kind: 'BOYCAR' | 'BCNCAR',
  otherwise: Default,
): SymbolName {
  const quadrant = numberOf(attributes, 'CATCAM');
  if (quadrant === 1 || quadrant === 2 || quadrant === 3 || quadrant === 4) {
    return `${kind}0${quadrant}`;
  }
  return otherwise;
}

/**
 * The colour that shows the side of a lateral mark: its first, which is the top one on preferred
 * channel marks.
 */
export function lateralColor(attributes: Attributes): 'red' | 'green' | undefined {
  const first = colorLetters(attributes)?.[0];
  if (first === RED) return 'red';
  return first === GREEN ? 'green' : undefined;
}

function paperShape(acronym: string, attributes: Attributes): PaperBuoySymbol {
  const shape = numberOf(attributes, 'BOYSHP');
  if (acronym === 'BOYINB') return 'BOYINB01';
  const isMooring = acronym === 'MORFAC' || hasAny(listOf(attributes, 'CATSPM'), MOORING);
  if (isMooring) return shape === CAN ? 'BOYMOR03' : 'BOYMOR01';
  return SHAPES[shape ?? 0] ?? 'BOYGEN03';
}

function lateralBuoy(attributes: Attributes, systemOf: () => number | undefined): SymbolName {
  const color = lateralColor(attributes);
  if (color === undefined) return 'BOYDEF03';
  const isRed = color === 'red';
  switch (lateralShape(attributes, isRed, systemOf)) {
    case CAN:
      return isRed ? 'BOYLAT24' : 'BOYLAT23';
    case CONICAL:
      return isRed ? 'BOYLAT14' : 'BOYLAT13';
    default:
      return 'BOYDEF03';
  }
}

/** Can or cone, by the shape, the hand, or the colour in the buoyage region; `undefined` if none decides it. */
function lateralShape(
  attributes: Attributes,
  isRed: boolean,
  systemOf: () => number | undefined,
): number | undefined {
  const shape = numberOf(attributes, 'BOYSHP');
  if (shape === CAN || shape === CONICAL) return shape;
  const hand = numberOf(attributes, 'CATLAM');
  if (hand !== undefined) return shapeOfHand(hand);
  const system = systemOf();
  if (system !== REGION_A && system !== REGION_B) return undefined;
  return isRed === (system === REGION_A) ? CAN : CONICAL;
}

/** CAN at the port-hand, CONICAL at the starboard-hand side. */
export const shapeOfHand = (hand: number): number | undefined =>
  CANS.has(hand) ? CAN : CONES.has(hand) ? CONICAL : undefined;

function specialBuoy(attributes: Attributes): SymbolName {
  const purposes = listOf(attributes, 'CATSPM');
  const shape = numberOf(attributes, 'BOYSHP');
  if (hasAny(purposes, MOORING)) return 'BOYMOR11';
  if (shape === SUPERBUOY || hasAny(purposes, LARGE)) return 'BOYSUP02';
  if (shape === CONICAL) return 'BOYSPP15';
  if (shape === CAN) return 'BOYSPP25';
  return shape === SPAR || shape === 8 || shape === 4 ? 'BOYSPP35' : 'BOYSPP11';
}
