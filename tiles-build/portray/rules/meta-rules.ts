// Objects about the data that a chart can show on request: data quality and the buoyage system.

import type { PatternName, SymbolName } from '../../../shared/chart/symbol-names.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { RuleTable } from '../features/class-rule.ts';

/** CATZOC 1 to 6: name and pattern. */
const ZONES: Readonly<Record<number, readonly [string, PatternName]>> = {
  1: ['A1', 'DQUALA11'],
  2: ['A2', 'DQUALA21'],
  3: ['B', 'DQUALB01'],
  4: ['C', 'DQUALC01'],
  5: ['D', 'DQUALD01'],
  6: ['U', 'DQUALU01'],
};
/** Arrows of the direction of buoyage, by MARSYS. */
const DIRECTIONS: Readonly<Record<number, SymbolName>> = { 1: 'DIRBOYA1', 2: 'DIRBOYB1' };

const UNASSESSED = ZONES[6]!;

export const META_RULES: RuleTable = {
  M_QUAL: {
    parts: ['fill'],
    decide: (attributes) => {
      const [zc, pt] = ZONES[numberOf(attributes, 'CATZOC') ?? 0] ?? UNASSESSED;
      return { zc, pt };
    },
  },
  M_NSYS: {
    parts: ['outline', 'symbol'],
    decide: (attributes) => {
      const sys = numberOf(attributes, 'MARSYS');
      const or = numberOf(attributes, 'ORIENT');
      return { sys, or, sy: or === undefined ? undefined : (DIRECTIONS[sys ?? 0] ?? 'DIRBOY01') };
    },
  },
};
