// Areas of use and restriction, anchorages, harbours, names of waters, currents: limits as lines,
// and one symbol per area.

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { listOf, numberOf, textOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import { type ClassRule, type Decision, type RuleTable, rulesFor } from '../features/class-rule.ts';
import { entrySign, restrictedArea, restrictionOf } from '../features/restrictions.ts';

const ZONE = ['point', 'outline', 'symbol'] as const;

export const AREA_RULES: RuleTable = {
  RESARE: {
    parts: ZONE,
    decide: (attributes) => {
      const { symbol, boundary } = restrictedArea(attributes);
      return { sy: symbol, bd: boundary, cat: listOf(attributes, 'CATREA')[0] };
    },
  },
  ACHARE: {
    parts: ZONE,
    decide: (attributes, feature) => ({
      sy: entrySign(attributes) ?? (feature.primitive === 'point' ? 'ACHARE02' : 'ACHARE51'),
      bd: 'anchor',
      cat: listOf(attributes, 'CATACH')[0],
      rs: restrictionOf(attributes)?.boundary,
    }),
  },
  ACHBRT: zone('ACHBRT07'),
  CTNARE: zone('CTNARE51', 'caution'),
  PRCARE: zone('PRCARE12', 'caution'),
  DMPGRD: zone('CHINFO07', 'info'),
  CBLARE: zone('INFARE51', 'info'),
  PIPARE: zone('INFARE51', 'info'),
  MIPARE: zone('CTYARE51', 'caution'),
  ICNARE: zone('CHINFO07', 'info'),
  OSPARE: zone('CTYARE51', 'caution'),
  CTSARE: zone('CHINFO07', 'info'),
  SPLARE: zone('CHINFO07', 'info'),
  FSHGRD: zone('CHINFO07', 'info'),
  ...rulesFor('HRBARE FRPARE SUBTLN RADRNG', zone()),
  CHKPNT: zone('POSGEN04'),
  HRBFAC: { parts: ZONE, decide: harbour },
  SMCFAC: {
    parts: ZONE,
    decide: (attributes) => ({ sy: 'SMCFAC02', cat: listOf(attributes, 'CATSCF')[0] }),
  },
  SEAARE: { parts: ['point', 'symbol'] },
  // Areas occur on inland charts.
  CURENT: { parts: ['point', 'center'], decide: (attributes) => stream(attributes, 'CURENT01') },
  TS_FEB: {
    parts: ZONE,
    decide: (attributes) => stream(attributes, TIDES[numberOf(attributes, 'CAT_TS') ?? 0]),
  },
  TS_PAD: { parts: ZONE, decide: () => ({ sy: 'TIDSTR01' }) },
  LOCMAG: {
    parts: ['point', 'line', 'outline', 'symbol'],
    decide: (_attributes, { primitive }) => ({
      sy: primitive === 'point' ? 'LOCMAG01' : 'LOCMAG51',
    }),
  },
  MAGVAR: {
    parts: ['point', 'line', 'symbol'],
    decide: (attributes, { primitive }) => ({
      sy: primitive === 'point' ? 'MAGVAR01' : 'MAGVAR51',
      tx: variation(attributes),
    }),
  },
};

/** `3°15′W 2020 (8′E)`: the variation, its year, and the annual change. */
function variation(attributes: Attributes): string | undefined {
  const value = numberOf(attributes, 'VALMAG');
  if (value === undefined) return undefined;
  const side = (given: number) => (given < 0 ? 'W' : 'E');
  const minutes = Math.round(Math.abs(value) * 60);
  const rest = minutes % 60 === 0 ? '' : `${String(minutes % 60).padStart(2, '0')}′`;
  const year = textOf(attributes, 'RYRMGV');
  const change = numberOf(attributes, 'VALACM');
  return [
    `${Math.floor(minutes / 60)}°${rest}${side(value)}`,
    ...(year === undefined ? [] : [year]),
    ...(change === undefined ? [] : [`(${Math.abs(change)}′${change === 0 ? '' : side(change)})`]),
  ].join(' ');
}

/** Restrictions whose symbol replaces that of the zone. */
const PROHIBITIONS: ReadonlySet<string> = new Set(['entry', 'anchor', 'fishing']);

/** A zone with a fixed symbol, if any, that may also be restricted. */
function zone(sy?: SymbolName, bd?: string): ClassRule {
  return {
    parts: ZONE,
    decide: (attributes) => {
      const restriction = restrictionOf(attributes);
      const isProhibition = PROHIBITIONS.has(restriction?.boundary ?? '');
      const shown = isProhibition ? restriction?.symbol : (sy ?? restriction?.symbol);
      return { sy: shown, bd, rs: restriction?.boundary };
    },
  };
}

/** CATHAF; a yacht harbour is drawn like other small craft facilities. */
const HARBOURS: Readonly<Record<number, SymbolName>> = {
  1: 'ROLROL01',
  3: 'HRBFAC10',
  4: 'HRBFAC09',
  5: 'SMCFAC02',
  6: 'HRBFAC11',
  7: 'HRBFAC12',
  8: 'HRBFAC13',
  9: 'HRBFAC14',
  10: 'HRBFAC15',
  11: 'HRBFAC16',
  12: 'HRBFAC17',
  13: 'HRBFAC18',
};

function harbour(attributes: Attributes): Decision {
  const cat = listOf(attributes, 'CATHAF')[0];
  return { cat, sy: HARBOURS[cat ?? 0] ?? 'CHINFO07' };
}

/** CAT_TS: flood, ebb. */
const TIDES: Readonly<Record<number, SymbolName>> = { 1: 'FLDSTR01', 2: 'EBBSTR01' };

/** An arrow along the stream with its maximum speed; a question mark if the direction is unknown. */
function stream(attributes: Attributes, symbol: SymbolName | undefined): Decision {
  const knots = numberOf(attributes, 'CURVEL');
  const or = numberOf(attributes, 'ORIENT');
  return {
    sy: or === undefined ? 'QUESMRK1' : (symbol ?? 'CURENT01'),
    or,
    cat: numberOf(attributes, 'CAT_TS'),
    tx: knots === undefined ? undefined : `${knots} kn`,
  };
}
