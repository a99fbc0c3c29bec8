// Which of two cells is shown where both cover the ground, at one zoom tier.

import { BAND_ZOOMS, type BandZooms, TIER_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import { zoomOfScale } from '../../shared/chart/scale-zoom.ts';
import { type Coverage, DEGREE } from './coverage.ts';

/** Zooms of a usage band; inland bands 7 to 9 (river, river harbour, berthing) go with 5 and 6. */
export function zoomsOfBand(usageBand: number): BandZooms {
  const band = usageBand >= 9 ? 6 : usageBand >= 7 ? 5 : usageBand;
  return BAND_ZOOMS[Math.min(Math.max(band, 1), 6) - 1]!;
}

/** Zoom at which a map shows a cell at the scale it was compiled for, in the middle of the cell. */
export function compilationZoom({ box, scaleDenominator }: Coverage): number {
  return zoomOfScale(scaleDenominator, -(box.top + box.bottom) / 2 / DEGREE);
}

/** How many times larger than it was compiled a cell may be drawn while finer ones wait. */
const MOST_ENLARGED = 10;

/** Why a cell stands where it does at a tier, best first. */
const FITS = 0;
const WAITS = 1;
const ENLARGED = 2;

/**
 * Whether the cell's band is due, and not drawn at more than ten times its compilation scale at the
 * last zoom of the tier. Where all bands are due no finer one waits, and scale plays no part.
 */
function standingAt(tier: number, cell: Coverage): number {
  if (zoomsOfBand(cell.usageBand).minZoom > tier) return WAITS;
  const next = TIER_ZOOMS.find((zoom) => zoom > tier);
  if (next === undefined) return FITS;
  const enlarged = 2 ** (next - 1 - compilationZoom(cell));
  return enlarged > MOST_ENLARGED ? ENLARGED : FITS;
}

/**
 * Best first at a tier. Cells whose band is due come first, the finest of them best; the others
 * fill what is left, the coarsest of them best, so that a lone harbour still shows from afar. Last
 * come cells that are due and would be enlarged more than tenfold: whatever is finer says more.
 * Within a band the larger scale wins, then the newer edition, then the name, so that no two tie.
 */
export function compareAtTier(tier: number): (a: Coverage, b: Coverage) => number {
  return (a, b) => {
    const standing = standingAt(tier, a);
    const other = standingAt(tier, b);
    if (standing !== other) return standing - other;
    const aBand = zoomsOfBand(a.usageBand).band;
    const bBand = zoomsOfBand(b.usageBand).band;
    if (aBand !== bBand) return standing === WAITS ? aBand - bBand : bBand - aBand;
    if (a.scaleDenominator !== b.scaleDenominator) return a.scaleDenominator - b.scaleDenominator;
    if (a.issueDate !== b.issueDate) return a.issueDate > b.issueDate ? -1 : 1;
    return a.name < b.name ? -1 : 1;
  };
}
