// The order of cells that cover the same ground, at one zoom tier.

import { BAND_ZOOMS, type BandZooms, TIER_ZOOMS } from '../../shared/chart/band-for-zoom.ts';
import { zoomOfScale } from '../../shared/chart/scale-zoom.ts';
import { type Coverage, DEGREE } from './coverage.ts';

/**
 * Zooms of a usage band; inland bands 7 to 9 (river, river harbour, berthing) use those of 5 and 6.
 */
export function zoomsOfBand(usageBand: number): BandZooms {
  const band = usageBand >= 9 ? 6 : usageBand >= 7 ? 5 : usageBand;
  return BAND_ZOOMS[Math.min(Math.max(band, 1), 6) - 1]!;
}

/** The zoom that shows a cell at its compilation scale, at the middle of the cell. */
export function compilationZoom({ box, scaleDenominator }: Coverage): number {
  return zoomOfScale(scaleDenominator, -(box.top + box.bottom) / 2 / DEGREE);
}

/** The same zoom, limited to the zooms for which tiles of the cell are made. */
export function scaleZoomOf(coverage: Coverage): number {
  const { maxZoom } = zoomsOfBand(coverage.usageBand);
  return Math.min(Math.max(compilationZoom(coverage), 0), maxZoom);
}

/** Soundings appear this many zooms below the compilation scale, or later if their SCAMIN is larger. */
const SOUNDINGS_BELOW = 1;

/** The zoom from which SCAMIN shows soundings of a cell, at most one zoom below its scale. */
export function soundingsZoomOf(coverage: Coverage): number {
  const least = Math.max(scaleZoomOf(coverage) - SOUNDINGS_BELOW, 0);
  const { soundingsScamin, ...others } = coverage;
  if (soundingsScamin === undefined) return least;
  return Math.max(compilationZoom({ ...others, scaleDenominator: soundingsScamin }), least);
}

/** A cell may be enlarged up to this factor before finer cells rank before it. */
const MAX_ENLARGEMENT = 10;

/** Groups of cells at a tier, best first. */
const FITS = 0;
const WAITS = 1;
const ENLARGED = 2;

/**
 * Whether a cell's band may show at the tier, and whether the tier's last zoom would enlarge the
 * cell more than tenfold. At the last tier all bands may show, and the scale does not matter.
 */
function standingAt(tier: number, cell: Coverage): number {
  if (zoomsOfBand(cell.usageBand).minZoom > tier) return WAITS;
  return isEnlargedAt(tier, cell) ? ENLARGED : FITS;
}

/** Whether the tier's last zoom would enlarge a cell more than tenfold. */
export function isEnlargedAt(tier: number, cell: Coverage): boolean {
  const next = TIER_ZOOMS.find((zoom) => zoom > tier);
  return next !== undefined && 2 ** (next - 1 - compilationZoom(cell)) > MAX_ENLARGEMENT;
}

/**
 * Compares two cells at a tier, best first. Cells whose band may show come first, the finest band
 * first. Then come finer bands, the coarsest first, so that a lone harbour still shows at small
 * scales. Cells that would be enlarged more than tenfold come last. Within a band the larger scale
 * comes first, then the newer edition, then the name, so that there are no ties.
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
    if (a.editionDate !== b.editionDate) return a.editionDate > b.editionDate ? -1 : 1;
    return a.name < b.name ? -1 : 1;
  };
}
