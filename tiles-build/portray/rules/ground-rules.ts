// Portrayal rules for land, coast, inland water, vegetation and buildings. The keys are described in
// `shared/chart/tile-properties.ts`.

import type { PatternName, SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { nearestFeet } from '../../../shared/s57/vocabulary/depth-units.ts';
import { listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { type Decision, type RuleTable, rulesFor } from '../features/class-rule.ts';
import { shoreLine } from '../features/shore-line.ts';
import { buildingSymbol, isConspicuous } from '../marks/landmarks.ts';

/** Structures and rapids that are charted as points are drawn as a dot. */
const dotted = (_attributes: Attributes, { primitive }: Feature): Decision =>
  primitive === 'point' ? { sy: 'POSGEN04' } : {};

const WATER: RuleTable = {
  ...rulesFor('LAKARE RIVERS CANALS LOKBSN DOCARE TIDEWY', {
    parts: ['line', 'fill', 'outline', 'symbol'],
  }),
  RAPIDS: { parts: ['point', 'line', 'fill', 'outline', 'symbol'], decide: dotted },
};

export const GROUND_RULES: RuleTable = {
  ...WATER,
  LNDARE: {
    parts: ['point', 'line', 'fill', 'symbol'],
    isDisplayBase: true,
    decide: (_attributes, feature) => (feature.primitive === 'point' ? { sy: 'LNDARE01' } : {}),
  },
  LNDRGN: {
    parts: ['point', 'patterned', 'symbol'],
    decide: (attributes) => ({ pt: isMarsh(attributes) ? 'MARSHES1' : undefined }),
  },
  LNDELV: { parts: ['point', 'line'], decide: elevation },
  COALNE: {
    parts: ['line'],
    isDisplayBase: true,
    decide: (attributes) => ({ cat: numberOf(attributes, 'CATCOA') }),
  },
  ...rulesFor('LAKSHR RIVBNK CANBNK', { parts: ['line', 'outline'] }),
  SLCONS: {
    parts: ['point', 'line', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: (attributes) => ({
      cat: numberOf(attributes, 'CATSLC'),
      ln: shoreLine(attributes),
    }),
  },
  SLOTOP: { parts: ['line'], decide: slope },
  SLOGRD: { parts: ['point', 'outline', 'symbol'], decide: slope },
  VEGATN: { parts: ['point', 'line', 'patterned', 'outline'], decide: vegetation },
  BUAARE: {
    parts: ['point', 'fill', 'outline', 'symbol'],
    decide: (attributes, feature) => ({
      cat: numberOf(attributes, 'CATBUA'),
      ...(feature.primitive === 'point' ? { sy: 'BUAARE02' } : {}),
    }),
  },
  BUISGL: {
    parts: ['point', 'fill', 'outline', 'symbol'],
    decide: (attributes, feature) => ({
      cv: isConspicuous(attributes) ? 1 : undefined,
      ...(feature.primitive === 'point' ? { sy: buildingSymbol(attributes) } : {}),
    }),
  },
  AIRARE: { parts: ['point', 'fill', 'symbol'], decide: () => ({ sy: 'AIRARE02' }) },
  RUNWAY: { parts: ['point', 'line', 'fill', 'outline'], decide: dotted },
  DAMCON: {
    parts: ['point', 'line', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: dotted,
  },
  ...rulesFor('DYKCON CAUSWY', {
    parts: ['line', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
  }),
  ...rulesFor('RAILWY FNCLNE', { parts: ['line'] }),
  ROADWY: { parts: ['point', 'line', 'outline'], decide: dotted },
  TUNNEL: { parts: ['point', 'line', 'outline', 'symbol'], decide: dotted },
  SQUARE: { parts: ['point', 'line', 'outline', 'symbol'] },
  WATFAL: { parts: ['point', 'line'], decide: () => ({ sy: 'POSGEN04' }) },
  SPRING: { parts: ['point'], decide: () => ({ sy: 'SPRING02' }) },
  SNDWAV: {
    parts: ['point', 'line', 'fill'],
    decide: () => ({ sy: 'SNDWAV02', pt: 'SNDWAV01' }),
  },
  ICEARE: { parts: ['fill', 'outline', 'symbol'], decide: () => ({ pt: 'ICEARE04' }) },
  PRDARE: { parts: ['point', 'outline', 'symbol'], decide: production },
};

/** CATLND 2 marsh, 12 swamp. */
function isMarsh(attributes: Attributes): boolean {
  return listOf(attributes, 'CATLND').some((code) => code === 2 || code === 12);
}

function elevation(attributes: Attributes): Decision {
  const el = numberOf(attributes, 'ELEVAT');
  if (el === undefined) return { sy: 'POSGEN04' };
  return { sy: 'POSGEN04', el, tx: String(Math.round(el)), tf: String(nearestFeet(el)) };
}

/** CATSLO 4 is a hill, the only slope with a symbol. */
function slope(attributes: Attributes): Decision {
  const cat = numberOf(attributes, 'CATSLO');
  const cv = isConspicuous(attributes) ? 1 : undefined;
  return { cat, cv, sy: cat === 4 ? (cv === 1 ? 'HILTOP11' : 'HILTOP01') : undefined };
}

/** By CATVEG: 7 and 21 mangroves, 11 reed, 12 moss. All others use `VEGATN03`. */
const VEGETATION_PATTERNS: Readonly<Record<number, PatternName>> = {
  7: 'VEGATN04',
  21: 'VEGATN04',
  11: 'MARSHES1',
  12: 'MARSHES1',
};

function vegetation(attributes: Attributes): Decision {
  const kind = listOf(attributes, 'CATVEG')[0];
  return { cat: kind, sy: 'TREPNT04', pt: VEGETATION_PATTERNS[kind ?? 0] ?? 'VEGATN03' };
}

/** By CATPRA (category of production area). */
const PRODUCTION_SYMBOLS: Readonly<Record<number, SymbolName>> = {
  1: 'QUARRY01',
  2: 'PRDINS02',
  5: 'RFNERY01',
  6: 'TMBYRD01',
  8: 'TNKFRM01',
  9: 'WNDFRM51',
};

function production(attributes: Attributes): Decision {
  const kind = numberOf(attributes, 'CATPRA');
  const symbol = PRODUCTION_SYMBOLS[kind ?? 0] ?? 'PRDINS02';
  const isProminent = isConspicuous(attributes);
  return {
    cat: kind,
    cv: isProminent ? 1 : undefined,
    sy: symbol === 'TNKFRM01' && isProminent ? 'TNKFRM11' : symbol,
  };
}
