// Compilation scale and usage band decide where and at which zoom a cell is drawn. If a file states only
// one of them, the other is derived from it.

import type { Problem } from '../cell/cell.ts';

/**
 * Usage bands with their range of scales and a common scale: the six navigational purposes of the ENC
 * Product Specification 3.1 (clause 2.1), with the ranges of IHO S-65, annex B.
 */
const BANDS = [
  { band: 1, from: 1_500_000, common: 3_000_000 },
  { band: 2, from: 350_000, common: 700_000 },
  { band: 3, from: 90_000, common: 180_000 },
  { band: 4, from: 22_000, common: 45_000 },
  { band: 5, from: 4_000, common: 12_000 },
  { band: 6, from: 1, common: 3_000 },
] as const;

/** Inland ENC bands (river, river harbour, river berthing) to the bands of similar scales. */
const INLAND = new Map([
  [7, 5],
  [8, 5],
  [9, 6],
]);

/** INTU of inland overlays; above 128 it is 128 plus a range of usages, 207 for 7 to 9. 255 is unknown. */
const OVERLAY = 10;
const OVERLAY_RANGES = 128;
const UNKNOWN = 255;

/**
 * Whether an inland cell complements the charts below it. The third character of its name is then A (earlier L),
 * which decides for a cell with an inland usage.
 */
export const isOverlay = (name: string, intu: number): boolean =>
  intu === OVERLAY ||
  (intu > OVERLAY_RANGES && intu < UNKNOWN) ||
  (INLAND.has(intu) && /^..[AL]/.test(name));

interface ScaleAndBand {
  /** INTU, 1 to 9. */
  readonly usageBand: number;
  /** CSCL, above 0. */
  readonly scaleDenominator: number;
  /** Set if one of the two was unknown, or if they contradict each other. */
  readonly problem?: Omit<Problem, 'file'>;
}

/** Complete scale and band; `undefined` if both are unknown. */
export function scaleAndBand(intu: number, cscl: number): ScaleAndBand | undefined {
  const known = BANDS.find(({ band }) => band === (INLAND.get(intu) ?? intu));
  if (known !== undefined) {
    if (cscl > 0) return { usageBand: intu, scaleDenominator: cscl, ...contradiction(known, cscl) };
    const { common } = known;
    const message = `the compilation scale is missing (CSCL is 0); 1:${common} is used`;
    const problem = { code: 'unknown-scale', message, severity: 'warning' } as const;
    return { usageBand: intu, scaleDenominator: common, problem };
  }
  const found = BANDS.find(({ from }) => cscl >= from);
  if (found === undefined) return undefined;
  const message = `${intu} is not a valid usage band (INTU); ${found.band} is used, from the scale 1:${cscl}`;
  const problem = { code: 'unknown-usage-band', message, severity: 'warning' } as const;
  return { usageBand: found.band, scaleDenominator: cscl, problem };
}

/** Real cells are up to about twice outside the range of their band; a digit too many is ten times. */
const FAR_OUTSIDE = 10;

function contradiction(
  { band, from }: (typeof BANDS)[number],
  cscl: number,
): Pick<ScaleAndBand, 'problem'> {
  const to = BANDS.find((coarser) => coarser.band === band - 1)?.from ?? Number.POSITIVE_INFINITY;
  if (cscl >= from / FAR_OUTSIDE && cscl <= to * FAR_OUTSIDE) return {};
  const message = `the compilation scale 1:${cscl} contradicts the usage band ${band} (INTU) of the cell; one of them is probably wrong`;
  return { problem: { code: 'scale-outside-band', message, severity: 'warning' } };
}
