// Restricted areas by severity: reduces the RESTRN and CATREA lists to one symbol and one class of
// boundary (S-52 RESARE04, RESTRN01, RESCSP02 in our own words).

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { hasAny, listOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { Decision } from './class-rule.ts';

type BoundaryKind = 'entry' | 'anchor' | 'fishing' | 'caution' | 'info' | 'default';

export interface Restriction {
  readonly symbol: SymbolName;
  readonly boundary: BoundaryKind;
}

const codes = (list: string): ReadonlySet<number> => new Set(list.split(' ').map(Number));

// RESTRN codes (S-57 attribute 131).
const ENTRY_PROHIBITED = 7;
const ENTRY = codes('7 8 14');
const ANCHORING = codes('1 2');
const FISHING = codes('3 4 5 6 24');
const CAUTION = codes('13 16 17 23 25 26 27');
const INFORMATION = codes('9 10 11 12 15 18 19 20 21 22');

// CATREA codes (S-57 attribute 56) that require caution, or only inform.
const CAUTION_AREAS = codes('1 8 9 12 14 18 19 21 24 25 26');
const INFORMATION_AREAS = codes('4 5 6 7 10 20 22 23 27 28');

/** The most severe restriction of an area; `undefined` if RESTRN is empty. */
export function restrictionOf(attributes: Attributes): Restriction | undefined {
  const restricted = listOf(attributes, 'RESTRN');
  return restricted.length === 0 ? undefined : severest(restricted, listOf(attributes, 'CATREA'));
}

/** The sign of an area that must not be entered; `undefined` for other areas. */
export function entrySign(attributes: Attributes): SymbolName | undefined {
  return listOf(attributes, 'RESTRN').includes(ENTRY_PROHIBITED)
    ? restrictionOf(attributes)?.symbol
    : undefined;
}

/** The symbol and the kind of the restriction of an area that has no other symbol. */
export function restrictionSign(attributes: Attributes): Pick<Decision, 'sy' | 'rs'> {
  const restriction = restrictionOf(attributes);
  return { sy: restriction?.symbol, rs: restriction?.boundary };
}

/** The restriction of a RESARE, which has a symbol even without a restriction. */
export function restrictedArea(attributes: Attributes): Restriction {
  const restricted = listOf(attributes, 'RESTRN');
  const areas = listOf(attributes, 'CATREA');
  if (restricted.length > 0) return severest(restricted, areas);
  if (hasAny(areas, CAUTION_AREAS)) {
    const symbol = hasAny(areas, INFORMATION_AREAS) ? 'CTYARE71' : 'CTYARE51';
    return { symbol, boundary: 'caution' };
  }
  if (hasAny(areas, INFORMATION_AREAS)) return { symbol: 'INFARE51', boundary: 'info' };
  return { symbol: 'RSRDEF51', boundary: 'default' };
}

function severest(restricted: readonly number[], areas: readonly number[]): Restriction {
  const cautions = hasAny(restricted, CAUTION) || hasAny(areas, CAUTION_AREAS);
  const informs = hasAny(restricted, INFORMATION) || hasAny(areas, INFORMATION_AREAS);
  const anchoring = hasAny(restricted, ANCHORING);
  const fishing = hasAny(restricted, FISHING);
  if (hasAny(restricted, ENTRY)) {
    return {
      symbol: `ENTRES${suffix(anchoring || fishing || cautions, informs)}`,
      boundary: 'entry',
    };
  }
  if (anchoring) {
    return { symbol: `ACHRES${suffix(fishing || cautions, informs)}`, boundary: 'anchor' };
  }
  if (fishing) return { symbol: `FSHRES${suffix(cautions, informs)}`, boundary: 'fishing' };
  if (cautions) return { symbol: informs ? 'CTYARE71' : 'CTYARE51', boundary: 'caution' };
  if (informs) return { symbol: 'INFARE51', boundary: 'info' };
  return { symbol: 'RSRDEF51', boundary: 'default' };
}

/** 61 with a "!", 71 with an "i", 51 without either. */
function suffix(hasCaution: boolean, hasInformation: boolean): '51' | '61' | '71' {
  if (hasCaution) return '61';
  return hasInformation ? '71' : '51';
}
