// Rounding of positions for a chart drawn below its compilation scale. Objects that share a
// position share its rounding, so that areas close up when a small area between them disappears.

/** In units of a tile with 4096 units per side; a pixel has 8. */
export type Grain = 1 | 4 | 8;

/** The next coarser band would be drawn this many zooms below the cell's first zoom. */
const ZOOMS_OF_A_BAND = 2;

/**
 * 1 from the compilation scale on; half a pixel at the zooms of the cell's band and the next
 * coarser one; a pixel below those.
 */
export function grainAt(zoom: number, nativeZoom: number): Grain {
  if (zoom >= nativeZoom) return 1;
  return nativeZoom - zoom > ZOOMS_OF_A_BAND ? 8 : 4;
}
