// Symbols of landmarks, buildings, tanks and similar: by category and function, in a faint and a
// conspicuous form (S-57 CATLMK, FUNCTN, CATSIL, CONVIS).

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { hasAny, listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/** Symbols of an inconspicuous and of a conspicuous object. */
type Pair = readonly [SymbolName, SymbolName];

const CHURCH: Pair = ['BUIREL01', 'BUIREL13'];
const TEMPLE: Pair = ['BUIREL04', 'BUIREL14'];
const MOSQUE: Pair = ['BUIREL05', 'BUIREL15'];
const MAST: Pair = ['MSTCON04', 'MSTCON14'];
const TOWER: Pair = ['TOWERS01', 'TOWERS03'];
const RADIO_TOWER: Pair = ['TOWERS05', 'TOWERS15'];
const WATER_TOWER: Pair = ['TOWERS02', 'TOWERS12'];
const MONUMENT: Pair = ['MONUMT02', 'MONUMT12'];
const SILO: Pair = ['SILBUI01', 'SILBUI11'];
const TANK: Pair = ['TNKCON02', 'TNKCON12'];
const BUILDING: Pair = ['BUISGL01', 'BUISGL11'];
const POSITION: Pair = ['POSGEN01', 'POSGEN03'];

/** CATLMK. */
const LANDMARKS: Readonly<Record<number, Pair>> = {
  1: ['CAIRNS01', 'CAIRNS11'],
  3: ['CHIMNY01', 'CHIMNY11'],
  4: ['DSHAER01', 'DSHAER11'],
  5: ['FLGSTF01', 'FLGSTF01'],
  6: ['FLASTK01', 'FLASTK11'],
  7: MAST,
  8: ['FLGSTF01', 'FLGSTF01'],
  9: MONUMENT,
  10: MONUMENT,
  11: MONUMENT,
  12: MONUMENT,
  13: MONUMENT,
  14: MONUMENT,
  15: ['DOMES001', 'DOMES011'],
  16: RADIO_TOWER,
  17: TOWER,
  18: ['WNDMIL02', 'WNDMIL12'],
  19: ['WIMCON01', 'WIMCON11'],
  20: CHURCH,
};

const RADIO_FUNCTIONS: ReadonlySet<number> = new Set([29, 30, 31, 32, 34]);

/** FUNCTN of a building used for worship. */
const WORSHIP: Readonly<Record<number, Pair>> = {
  20: CHURCH,
  21: CHURCH,
  22: TEMPLE,
  23: TEMPLE,
  24: TEMPLE,
  25: TEMPLE,
  26: MOSQUE,
  27: MOSQUE,
};

/** CATSIL: silo, tank, grain elevator, water tower. */
const SILOS: Readonly<Record<number, Pair>> = { 1: SILO, 2: TANK, 3: SILO, 4: WATER_TOWER };

const CONSPICUOUS = 1;
const TOWER_CATEGORY = 17;
const SPIRE_CATEGORY = 20;

export function isConspicuous(attributes: Attributes): boolean {
  return numberOf(attributes, 'CONVIS') === CONSPICUOUS;
}

export function landmarkSymbol(attributes: Attributes): SymbolName {
  const category = listOf(attributes, 'CATLMK')[0] ?? 0;
  const functions = listOf(attributes, 'FUNCTN');
  const worship = worshipOf(functions);
  const isChurchTower =
    category === SPIRE_CATEGORY || category === TOWER_CATEGORY || category === 0;
  if (worship !== undefined && isChurchTower) return pick(worship, attributes);
  if (category === TOWER_CATEGORY && hasAny(functions, RADIO_FUNCTIONS)) {
    return pick(RADIO_TOWER, attributes);
  }
  return pick(LANDMARKS[category] ?? POSITION, attributes);
}

export function buildingSymbol(attributes: Attributes): SymbolName {
  return pick(worshipOf(listOf(attributes, 'FUNCTN')) ?? BUILDING, attributes);
}

export function siloSymbol(attributes: Attributes): SymbolName {
  return pick(SILOS[numberOf(attributes, 'CATSIL') ?? 0] ?? TANK, attributes);
}

export function fortSymbol(attributes: Attributes): SymbolName {
  return pick(['FORSTC01', 'FORSTC11'], attributes);
}

function worshipOf(functions: readonly number[]): Pair | undefined {
  for (const code of functions) if (WORSHIP[code] !== undefined) return WORSHIP[code];
  return undefined;
}

function pick([faint, conspicuous]: Pair, attributes: Attributes): SymbolName {
  return isConspicuous(attributes) ? conspicuous : faint;
}
