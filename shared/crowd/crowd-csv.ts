// Bins as CSV (RFC 4180), for spreadsheets and hydrographic offices.

import type { PlacedBin } from './bin.ts';
import { binCentre } from './bin-area.ts';

export const CROWD_COLUMNS: readonly string[] = [
  ...['LON', 'LAT', 'DEPTH', 'LEAST', 'MEDIAN', 'UNCERTAINTY_95', 'SOUNDINGS', 'PLATFORMS'],
  ...['FROM', 'TO', 'REDUCED', 'CHARTED', 'SHOALER', 'BIN_ZOOM'],
];

/** A bin as a line: its centre in degrees (WGS 84), depths in metres below chart datum. */
export function crowdCsvLine(bin: PlacedBin): string {
  const { longitude, latitude } = binCentre(bin);
  const values = [
    ...[longitude.toFixed(7), latitude.toFixed(7), bin.depth, bin.least, bin.median, bin.unc],
    ...[bin.count, bin.platforms, bin.from, bin.to, bin.reduced],
    ...[bin.charted ?? '', bin.diff ?? '', bin.zoom],
  ];
  return `${values.join()}\r\n`;
}
