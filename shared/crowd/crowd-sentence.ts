// A bin in plain words, for pick reports and queries.

import type { CrowdBin } from './bin.ts';

export interface ReaderUnit {
  readonly symbol: 'm' | 'ft' | 'fm';
  /** Metres of one unit. */
  readonly meters: number;
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/**
 * A sentence such as "2.1 m (bed 2.9 m ± 0.4 m), 34 soundings by 5 boats, May–November 2026, up to 0.9 m shoaler than charted".
 * @param unit the reader's unit
 */
export function crowdSentence(
  bin: Omit<CrowdBin, 'x' | 'y' | 'least' | 'charted'>,
  unit: ReaderUnit,
): string {
  const down = (meters: number) => inUnit(meters, unit, Math.floor);
  const up = (meters: number) => inUnit(meters, unit, Math.ceil);
  const parts = [
    `${down(bin.depth)} (bed ${down(bin.median)} ± ${up(bin.unc)})`,
    `${bin.count} soundings by ${bin.platforms} boats`,
    periodText(bin.from, bin.to),
  ];
  if (bin.diff !== undefined) parts.push(`up to ${up(bin.diff)} shoaler than charted`);
  if (!bin.reduced) parts.push('not corrected for the tide');
  return parts.join(', ');
}

/** Rounded to one decimal, feet to integers. @param round towards the safe side */
function inUnit(meters: number, unit: ReaderUnit, round: (value: number) => number): string {
  const perUnit = unit.symbol === 'ft' ? 1 : 10;
  // A depth of 2.3 m must not become 2.2 m because of its binary form.
  const tenths = Number(((meters / unit.meters) * perUnit).toFixed(6));
  return `${(round(tenths) / perUnit).toFixed(unit.symbol === 'ft' ? 0 : 1)} ${unit.symbol}`;
}

/** Two months as text: `May 2026`, `May–November 2026`, `May 2025–June 2026`. @param from,to `YYYY-MM` */
function periodText(from: string, to: string): string {
  const month = (text: string) => MONTHS[Number(text.slice(5)) - 1] ?? text;
  const year = (text: string) => text.slice(0, 4);
  if (from === to) return `${month(to)} ${year(to)}`;
  if (year(from) === year(to)) return `${month(from)}–${month(to)} ${year(to)}`;
  return `${month(from)} ${year(from)}–${month(to)} ${year(to)}`;
}
