// The one table from zoom to usage band. The build, the feature query, the raster and the routes
// all read it, so that what is asked about is what is drawn.

/** Navigational purpose of a cell (S-57 DSID INTU): 1 overview … 6 berthing. */
export type UsageBand = 1 | 2 | 3 | 4 | 5 | 6;

export interface BandZooms {
  readonly band: UsageBand;
  /** First tile zoom (512-pixel tiles) at which the band is shown. */
  readonly minZoom: number;
  /** Deepest zoom at which tiles of the band are made; deeper requests overzoom it. */
  readonly maxZoom: number;
}

/**
 * Zooms of each usage band. Latitude-free on purpose: a query and a tile at the same zoom must
 * agree everywhere. Neighbouring bands share one zoom at which the coarser tiles are still made.
 */
export const BAND_ZOOMS: readonly BandZooms[] = [
  { band: 1, minZoom: 0, maxZoom: 7 },
  { band: 2, minZoom: 7, maxZoom: 9 },
  { band: 3, minZoom: 9, maxZoom: 11 },
  { band: 4, minZoom: 11, maxZoom: 13 },
  { band: 5, minZoom: 13, maxZoom: 15 },
  { band: 6, minZoom: 15, maxZoom: 16 },
];

/** The first zoom of each band: between two of these the quilt does not change. */
export const TIER_ZOOMS: readonly number[] = BAND_ZOOMS.map((row) => row.minZoom);

/** Deepest zoom of the vector tileset (contract: enc-v2 zoom 0 to 16). */
export const MAX_VECTOR_ZOOM = 16;

/** The finest usage band shown at a zoom; fractions floor, and the ends clamp. */
export function bandForZoom(zoom: number): UsageBand {
  let found: UsageBand = 1;
  for (const row of BAND_ZOOMS) if (row.minZoom <= zoom) found = row.band;
  return found;
}

/** The first zoom of the tier a zoom belongs to: the quilt at both is the same. */
export function tierForZoom(zoom: number): number {
  return BAND_ZOOMS[bandForZoom(zoom) - 1]!.minZoom;
}
