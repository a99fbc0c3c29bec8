// Writes tracks as CSV (RFC 4180), with the columns that data centres for crowdsourced bathymetry
// accept.

import { decimal, utc } from './decimal.ts';
import type { Soundings } from './soundings.ts';

/** Degrees, metres, UTC. */
const HEADER = 'LON,LAT,DEPTH,TIME';

/** The soundings of the tracks, one track after the other, below one header. */
export function trackCsv(tracks: readonly Soundings[]): string {
  const lines = [HEADER];
  for (const { count, longitudes, latitudes, depths, times } of tracks) {
    for (let i = 0; i < count; i++) {
      const [longitude, latitude, depth] = [longitudes[i]!, latitudes[i]!, depths[i]!];
      lines.push(`${decimal(longitude)},${decimal(latitude)},${decimal(depth)},${utc(times[i]!)}`);
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}
