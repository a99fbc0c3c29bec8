// Which of two cells is shown where both cover the ground, at one zoom tier.

import { BAND_ZOOMS, type BandZooms } from '../../shared/chart/band-for-zoom.ts';
import type { Coverage } from './coverage.ts';

/** Zooms of a usage band; inland bands 7 to 9 (river, river harbour, berthing) go with 5 and 6. */
export function zoomsOfBand(usageBand: number): BandZooms {
  const band = usageBand >= 9 ? 6 : usageBand >= 7 ? 5 : usageBand;
  return BAND_ZOOMS[Math.min(Math.max(band, 1), 6) - 1]!;
}

/**
 * Best first at a tier. Cells whose band is due come first, the finest of them best; the others
 * fill what is left, the coarsest of them best, so that a lone harbour still shows from afar. Within
 * a band the larger scale wins, then the newer edition, then the name, so that no two tie.
 */
export function compareAtTier(tier: number): (a: Coverage, b: Coverage) => number {
  return (a, b) => {
    const aZooms = zoomsOfBand(a.usageBand);
    const bZooms = zoomsOfBand(b.usageBand);
    const aDue = aZooms.minZoom <= tier;
    const bDue = bZooms.minZoom <= tier;
    if (aDue !== bDue) return aDue ? -1 : 1;
    if (aZooms.band !== bZooms.band) {
      return aDue ? bZooms.band - aZooms.band : aZooms.band - bZooms.band;
    }
    if (a.scaleDenominator !== b.scaleDenominator) return a.scaleDenominator - b.scaleDenominator;
    if (a.issueDate !== b.issueDate) return a.issueDate > b.issueDate ? -1 : 1;
    return a.name < b.name ? -1 : 1;
  };
}
