// Topmarks and daymarks by shape: slanted on a floating platform, upright on a rigid one (S-52
// TOPMAR02 in our own words; S-57 TOPSHP).

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ChartContext } from '../features/chart-context.ts';

/** TOPSHP: symbol on a floating platform and on a rigid one. */
const TOPMARKS: Readonly<Record<number, readonly [SymbolName, SymbolName]>> = {
  1: ['TOPMAR02', 'TOPMAR22'],
  2: ['TOPMAR04', 'TOPMAR24'],
  3: ['TOPMAR10', 'TOPMAR30'],
  4: ['TOPMAR12', 'TOPMAR32'],
  5: ['TOPMAR13', 'TOPMAR33'],
  6: ['TOPMAR14', 'TOPMAR34'],
  7: ['TOPMAR65', 'TOPMAR85'],
  8: ['TOPMAR17', 'TOPMAR86'],
  9: ['TOPMAR16', 'TOPMAR36'],
  10: ['TOPMAR08', 'TOPMAR28'],
  11: ['TOPMAR07', 'TOPMAR27'],
  12: ['TOPMAR14', 'TOPMAR34'],
  13: ['TOPMAR05', 'TOPMAR25'],
  14: ['TOPMAR06', 'TOPMAR26'],
  15: ['TMARDEF2', 'TOPMAR88'],
  16: ['TMARDEF2', 'TOPMAR87'],
  17: ['TMARDEF2', 'TMARDEF1'],
  18: ['TOPMAR10', 'TOPMAR30'],
  19: ['TOPMAR13', 'TOPMAR33'],
  20: ['TOPMAR14', 'TOPMAR34'],
  21: ['TOPMAR13', 'TOPMAR33'],
  22: ['TOPMAR14', 'TOPMAR34'],
  23: ['TOPMAR14', 'TOPMAR34'],
  24: ['TOPMAR02', 'TOPMAR22'],
  25: ['TOPMAR04', 'TOPMAR24'],
  26: ['TOPMAR10', 'TOPMAR30'],
  27: ['TOPMAR17', 'TOPMAR86'],
  28: ['TOPMAR18', 'TOPMAR89'],
  29: ['TOPMAR02', 'TOPMAR22'],
  30: ['TOPMAR17', 'TOPMAR86'],
  31: ['TOPMAR14', 'TOPMAR34'],
  32: ['TOPMAR10', 'TOPMAR30'],
  33: ['TMARDEF2', 'TMARDEF1'],
};

/** TOPSHP of triangular daymarks. */
const TRIANGLE_UP = 24;
const TRIANGLE_DOWN = 25;

/** CATMOR 7: mooring buoy. */
const MOORING_BUOY = 7;

/** Whether a floating object is at the same point. */
export function isAfloat(feature: Feature, chart: ChartContext): boolean {
  return chart.standingWith(feature).some((other) => {
    const acronym = chart.acronymOf(other);
    if (acronym === 'MORFAC') return numberOf(other.attributes, 'CATMOR') === MOORING_BUOY;
    return acronym.startsWith('BOY') || acronym === 'LITFLT' || acronym === 'LITVES';
  });
}

export function topmarkSymbol(attributes: Attributes, floats: boolean): SymbolName {
  const pair = TOPMARKS[numberOf(attributes, 'TOPSHP') ?? 0];
  if (pair === undefined) return 'QUESMRK1';
  return floats ? pair[0] : pair[1];
}

export function daymarkSymbol(attributes: Attributes): SymbolName {
  const shape = numberOf(attributes, 'TOPSHP');
  if (shape === TRIANGLE_UP) return 'DAYTRI21';
  return shape === TRIANGLE_DOWN ? 'DAYTRI25' : 'DAYSQR21';
}
