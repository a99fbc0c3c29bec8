// Structures: bridges and lines over the water, quays and pontoons, moorings, harbour facilities,
// landmarks.

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { nearestFeet } from '../../../shared/s57/vocabulary/depth-units.ts';
import { hasAny, listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { type Decision, type RuleTable, rulesFor } from '../features/class-rule.ts';
import { clearanceOf } from '../features/clearance.ts';
import { shoreLine } from '../features/shore-line.ts';
import { paperBuoy } from '../marks/buoys.ts';
import { fortSymbol, isConspicuous, landmarkSymbol, siloSymbol } from '../marks/landmarks.ts';

const BUILT_OVER_WATER = ['line', 'fill', 'outline', 'symbol'] as const;

export const STRUCTURE_RULES: RuleTable = {
  BRIDGE: {
    parts: ['point', 'line', 'middle', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: (attributes, feature) => ({
      ...clearanceOf(attributes),
      sy: opens(attributes) ? 'BRIDGE01' : isPoint(feature) ? 'POSGEN04' : undefined,
    }),
  },
  ...rulesFor('CBLOHD PIPOHD', {
    parts: ['line', 'middle'],
    isDisplayBase: true,
    decide: (attributes) => ({ ...clearanceOf(attributes) }),
  }),
  CONVYR: {
    parts: ['line', 'middle', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: (attributes) => ({ ...clearanceOf(attributes) }),
  },
  PYLONS: {
    parts: ['point', 'fill', 'outline'],
    isDisplayBase: true,
    decide: () => ({ sy: 'POSGEN03' }),
  },
  ...rulesFor('PONTON FLODOC', { parts: BUILT_OVER_WATER, isDisplayBase: true }),
  DRYDOC: { parts: ['fill', 'outline', 'symbol'] },
  HULKES: {
    parts: ['point', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: (_attributes, feature) => (isPoint(feature) ? { sy: 'HULKES01' } : {}),
  },
  GATCON: {
    parts: ['point', 'line', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: gate,
  },
  MORFAC: { parts: ['point', 'line', 'fill', 'outline', 'symbol'], decide: mooring },
  BERTHS: {
    parts: ['point', 'line', 'outline', 'symbol', 'middle'],
    decide: () => ({ sy: 'BRTHNO01' }),
  },
  CRANES: {
    parts: ['point', 'fill', 'outline', 'symbol'],
    decide: (attributes) => ({ sy: 'CRANES01', cv: conspicuous(attributes) }),
  },
  OFSPLF: {
    parts: ['point', 'fill', 'outline', 'symbol'],
    isDisplayBase: true,
    decide: (_attributes, feature) => (isPoint(feature) ? { sy: 'OFSPLF01' } : {}),
  },
  SILTNK: {
    parts: ['point', 'fill', 'outline', 'symbol'],
    decide: (attributes, feature) =>
      landmark(attributes, isPoint(feature) ? siloSymbol(attributes) : undefined),
  },
  LNDMRK: {
    parts: ['point', 'line', 'fill', 'outline', 'symbol'],
    decide: (attributes) => landmark(attributes, landmarkSymbol(attributes)),
  },
  FORSTC: {
    parts: ['point', 'line', 'fill', 'outline', 'symbol'],
    decide: (attributes, feature) =>
      landmark(attributes, isPoint(feature) ? fortSymbol(attributes) : undefined),
  },
  GRIDRN: { parts: ['point', 'outline', 'symbol'] },
  LOGPON: { parts: ['point', 'outline', 'symbol'] },
  OILBAR: { parts: ['line'] },
  PILPNT: { parts: ['point'], decide: () => ({ sy: 'PILPNT02' }) },
  CTRPNT: { parts: ['point'], decide: () => ({ sy: 'POSGEN04' }) },
};

/** Areas of these kinds are filled in their true shape and need no symbol. */
function isPoint({ primitive }: Feature): boolean {
  return primitive === 'point';
}

function conspicuous(attributes: Attributes): 1 | undefined {
  return isConspicuous(attributes) ? 1 : undefined;
}

/** CATBRG: opening, swing, lifting, bascule, drawbridge. */
const OPENING_BRIDGES: ReadonlySet<number> = new Set([2, 3, 4, 5, 7]);

function opens(attributes: Attributes): boolean {
  return hasAny(listOf(attributes, 'CATBRG'), OPENING_BRIDGES);
}

/** CATGAT 4 is a lock gate, which vessels pass; the other gates are barriers. */
function gate(attributes: Attributes): Decision {
  const cat = numberOf(attributes, 'CATGAT');
  return { cat, sy: cat === 4 ? 'GATCON03' : 'GATCON04', ...clearanceOf(attributes) };
}

function landmark(attributes: Attributes, sy: SymbolName | undefined): Decision {
  const height = numberOf(attributes, 'HEIGHT');
  return {
    sy,
    cv: conspicuous(attributes),
    ...(height === undefined
      ? {}
      : {
          el: height,
          tx: `${Math.round(height * 10) / 10}m`,
          tf: `${nearestFeet(height)}ft`,
        }),
  };
}

/** CATMOR. Walls and chains are lines; a mooring buoy is drawn as a buoy. */
function mooring(attributes: Attributes, feature: Feature): Decision {
  const cat = numberOf(attributes, 'CATMOR');
  const ln = shoreLine(attributes);
  if (!isPoint(feature)) return { cat, ln };
  switch (cat) {
    case 1:
      return { cat, ln, sy: 'MORFAC03' };
    case 2:
      return { cat, ln, sy: 'MORFAC04' };
    case 4:
    case 6:
      return { cat, ln };
    case 7:
      return { cat, ln, sy: 'BOYMOR11', ...paperBuoy('MORFAC', attributes) };
    case 3:
    case 5:
      return { cat, ln, sy: 'PILPNT02' };
    default:
      return { cat, ln, sy: 'MORFAC03' };
  }
}
