// How coarse places may be where a chart is drawn below the scale it was compiled for. Whatever
// shares a place shares its rounding, so that areas close up where a small one between them goes.

/** In units of a tile of 4096, of which a pixel has 8. */
export type Grain = 1 | 4 | 8;

/** So many zooms below a cell's own the next coarser band would be drawn, if there were one. */
const ZOOMS_OF_A_BAND = 2;

/**
 * As charted from the compilation scale on; half a pixel for the zooms that the band or the next
 * coarser one is drawn at, a pixel below that.
 */
export function grainAt(zoom: number, nativeZoom: number): Grain {
  if (zoom >= nativeZoom) return 1;
  return nativeZoom - zoom > ZOOMS_OF_A_BAND ? 8 : 4;
}
