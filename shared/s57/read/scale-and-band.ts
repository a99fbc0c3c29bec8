// Compilation scale and usage band decide where and when a cell is drawn: what a file says of neither is
// told by the other.

import type { Problem } from '../cell/cell.ts';

/**
 * Usage bands by scale, and a scale that is common in each: the six navigational purposes of the ENC
 * Product Specification 3.1 (clause 2.1), with the ranges of scale that IHO S-65, annex B, gives.
 */
const BANDS = [
  { band: 1, from: 1_500_000, common: 3_000_000 },
  { band: 2, from: 350_000, common: 700_000 },
  { band: 3, from: 90_000, common: 180_000 },
  { band: 4, from: 22_000, common: 45_000 },
  { band: 5, from: 4_000, common: 12_000 },
  { band: 6, from: 1, common: 3_000 },
] as const;

/** River, river harbour, river berthing: the further bands of inland ENCs, by the band of like scales. */
const INLAND = new Map([
  [7, 5],
  [8, 5],
  [9, 6],
]);

interface ScaleAndBand {
  /** INTU, 1 to 9. */
  readonly usageBand: number;
  /** CSCL, above 0. */
  readonly scaleDenominator: number;
  /** Where one of them was unknown. */
  readonly problem?: Omit<Problem, 'file'>;
}

/** Both, known; undefined where neither is, as nothing then says when the cell is to be drawn. */
export function scaleAndBand(intu: number, cscl: number): ScaleAndBand | undefined {
  const known = BANDS.find(({ band }) => band === (INLAND.get(intu) ?? intu));
  if (known !== undefined) {
    if (cscl > 0) return { usageBand: intu, scaleDenominator: cscl };
    const { common } = known;
    const message = `the compilation scale is missing (CSCL is 0); taken as 1:${common}`;
    const problem = { code: 'unknown-scale', message, severity: 'warning' } as const;
    return { usageBand: intu, scaleDenominator: common, problem };
  }
  const found = BANDS.find(({ from }) => cscl >= from);
  if (found === undefined) return undefined;
  const message = `${intu} is no usage band (INTU); taken as ${found.band}, as the scale is 1:${cscl}`;
  const problem = { code: 'unknown-usage-band', message, severity: 'warning' } as const;
  return { usageBand: found.band, scaleDenominator: cscl, problem };
}
