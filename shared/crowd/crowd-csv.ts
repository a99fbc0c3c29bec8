// Bins as CSV (RFC 4180), for spreadsheets and hydrographic offices.

import type { PlacedBin } from './bin.ts';
import { binCentre } from './bin-area.ts';

const COLUMNS = [
  ...['LON', 'LAT', 'DEPTH', 'LEAST', 'MEDIAN', 'UNCERTAINTY_95', 'SOUNDINGS', 'PLATFORMS'],
  ...['FROM', 'TO', 'REDUCED', 'CHARTED', 'SHOALER', 'BIN_ZOOM'],
];

/** A header line, then a line per bin: its centre in degrees (WGS 84), depths in metres below chart datum. */
export function crowdCsv(bins: readonly PlacedBin[]): string {
  const lines = bins.map((bin) => {
    const { longitude, latitude } = binCentre(bin);
    return [
      ...[longitude.toFixed(7), latitude.toFixed(7), bin.depth, bin.least, bin.median, bin.unc],
      ...[bin.count, bin.platforms, bin.from, bin.to, bin.reduced],
      ...[bin.charted ?? '', bin.diff ?? '', bin.zoom],
    ].join();
  });
  return [COLUMNS.join(), ...lines, ''].join('\r\n');
}
