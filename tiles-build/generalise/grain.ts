// Rounding of positions for a chart that is drawn below its compilation scale. A position is rounded the same
// way in every object. Therefore no gap remains if a small area between two areas disappears.

/** Positions are multiples of this number of tile units. A tile has 4096 units per side, a pixel has 8. */
export type RoundingStep = 1 | 4 | 8;

/** Land and structures of the display base, whose areas remain as specks if they are too small. */
export const KEEPS_SPECKS: ReadonlySet<string> = new Set([
  'LNDARE',
  'SLCONS',
  'OFSPLF',
  'PYLONS',
  'HULKES',
]);

/** Number of zooms between the compilation scales of two adjacent usage bands. */
const ZOOMS_BETWEEN_BANDS = 2;

/**
 * Returns 1 (no rounding) at `nativeZoom` and above, 4 (half a pixel) at the two zooms below it, and 8 (a
 * pixel) below those.
 * @param nativeZoom zoom of the compilation scale
 */
export function roundingStepAt(zoom: number, nativeZoom: number): RoundingStep {
  if (zoom >= nativeZoom) return 1;
  return nativeZoom - zoom > ZOOMS_BETWEEN_BANDS ? 8 : 4;
}
