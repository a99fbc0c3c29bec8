// The depth range and the length of a track.

import { distanceMeters } from '../geo/earth.ts';
import type { Soundings } from './soundings.ts';

interface TrackMeasures {
  /** Metres, positive downwards. */
  readonly leastDepth: number;
  readonly greatestDepth: number;
  /** The distance along the soundings. */
  readonly lengthMeters: number;
}

/** @param soundings at least one, sorted by time */
export function measureTrack({ count, longitudes, latitudes, depths }: Soundings): TrackMeasures {
  let leastDepth = depths[0]!;
  let greatestDepth = leastDepth;
  let lengthMeters = 0;
  for (let i = 1; i < count; i++) {
    leastDepth = Math.min(leastDepth, depths[i]!);
    greatestDepth = Math.max(greatestDepth, depths[i]!);
    lengthMeters += distanceMeters(
      longitudes[i - 1]!,
      latitudes[i - 1]!,
      longitudes[i]!,
      latitudes[i]!,
    );
  }
  return { leastDepth, greatestDepth, lengthMeters };
}
