// A bin in plain words, for pick reports and queries.

import type { CrowdBin } from './bin.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/**
 * A sentence such as "2.1 m ± 0.4 m, 34 soundings by 5 boats, May–November 2026, 0.9 m shoaler than charted".
 * @param depthText a depth in metres in the reader's unit, with the unit
 */
export function crowdSentence(
  bin: Pick<CrowdBin, 'depth' | 'unc' | 'count' | 'platforms' | 'from' | 'to' | 'reduced' | 'diff'>,
  depthText: (meters: number) => string,
): string {
  const parts = [
    `${depthText(bin.depth)} ± ${depthText(bin.unc)}`,
    `${bin.count} soundings by ${bin.platforms} boats`,
    periodText(bin.from, bin.to),
  ];
  if (bin.diff !== undefined) parts.push(`${depthText(bin.diff)} shoaler than charted`);
  if (!bin.reduced) parts.push('not corrected for the tide');
  return parts.join(', ');
}

/** Two months as text: `May 2026`, `May–November 2026`, `May 2025–June 2026`. @param from,to `YYYY-MM` */
function periodText(from: string, to: string): string {
  const month = (text: string) => MONTHS[Number(text.slice(5)) - 1] ?? text;
  const year = (text: string) => text.slice(0, 4);
  if (from === to) return `${month(to)} ${year(to)}`;
  if (year(from) === year(to)) return `${month(from)}–${month(to)} ${year(to)}`;
  return `${month(from)} ${year(from)}–${month(to)} ${year(to)}`;
}
