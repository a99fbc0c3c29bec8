// Symbols of beacons: a simplified one by purpose, slender or stout, and a paper-chart one by
// construction (S-57 BCNSHP).

import {
  BEACON_COLOR_SUFFIXES,
  FILLED_BEACON_SYMBOLS,
  type FilledBeaconName,
  type SymbolName,
} from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { CAN, CONICAL, cardinal, lateralColor, shapeOfHand } from './buoys.ts';
import { colorSuffix } from './mark-colors.ts';

/** BCNSHP: stake or pole, withy, pile. */
const SLENDER: ReadonlySet<number> = new Set([1, 2, 5]);

const WITHY = 2;
const WITHIES: Readonly<Record<number, SymbolName>> = { [CAN]: 'PRICKE03', [CONICAL]: 'PRICKE04' };

/** BCNSHP: stake, withy, tower, lattice, pile, cairn, buoyant. */
const SHAPES: Readonly<Record<number, SymbolName>> = {
  1: 'BCNSTK02',
  2: 'BCNSTK02',
  3: 'BCNTOW01',
  4: 'BCNLTC01',
  5: 'BCNSTK02',
  6: 'CAIRNS01',
  7: 'BCNGEN01',
};

export function simplifiedBeacon(acronym: string, attributes: Attributes): SymbolName {
  const isSlender = SLENDER.has(numberOf(attributes, 'BCNSHP') ?? 0);
  switch (acronym) {
    case 'BCNLAT': {
      const color = lateralColor(attributes);
      if (color === undefined) return 'BCNDEF13';
      if (color === 'red') return isSlender ? 'BCNLAT21' : 'BCNLAT15';
      return isSlender ? 'BCNLAT22' : 'BCNLAT16';
    }
    case 'BCNCAR':
      return cardinal(attributes, 'BCNCAR', 'BCNDEF13');
    case 'BCNISD':
      return 'BCNISD21';
    case 'BCNSAW':
      return isSlender ? 'BCNSAW21' : 'BCNSAW13';
    case 'BCNSPP':
      return isSlender ? 'BCNSPP21' : 'BCNSPP13';
    default:
      return 'BCNDEF13';
  }
}

/** By construction and colour; a withy at the side of a channel by its hand. */
export function paperBeacon(acronym: string, attributes: Attributes): SymbolName {
  const shape = numberOf(attributes, 'BCNSHP') ?? 0;
  const hand = acronym === 'BCNLAT' && shape === WITHY ? numberOf(attributes, 'CATLAM') : undefined;
  const withy = hand === undefined ? undefined : WITHIES[shapeOfHand(hand) ?? 0];
  if (withy !== undefined) return withy;
  const plain = SHAPES[shape] ?? 'BCNGEN01';
  const filled = `${plain}-${colorSuffix(acronym, attributes)}`;
  return isFilled(filled) ? filled : plain;
}

const FILLED: ReadonlySet<string> = new Set(
  FILLED_BEACON_SYMBOLS.flatMap((name) => BEACON_COLOR_SUFFIXES.map((color) => `${name}-${color}`)),
);
const isFilled = (name: string): name is FilledBeaconName => FILLED.has(name);
