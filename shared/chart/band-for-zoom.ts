// The table from zoom to usage band. The build, the feature query, raster tiles and routing all use it, so that
// queries return what is drawn.

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
 * Zooms of each usage band. They do not depend on the latitude, because a query and a tile at the same zoom
 * must agree everywhere. Neighbouring bands share one zoom at which the coarser tiles are still made.
 */
export const BAND_ZOOMS: readonly BandZooms[] = [
  { band: 1, minZoom: 0, maxZoom: 7 },
  { band: 2, minZoom: 7, maxZoom: 9 },
  { band: 3, minZoom: 9, maxZoom: 11 },
  { band: 4, minZoom: 11, maxZoom: 13 },
  { band: 5, minZoom: 13, maxZoom: 15 },
  { band: 6, minZoom: 15, maxZoom: 16 },
];

/** The first zoom of each band; ownership of ground does not change between two of these. */
export const TIER_ZOOMS: readonly number[] = BAND_ZOOMS.map((row) => row.minZoom);

/** Deepest zoom of the vector tileset (contract: enc-v2 zoom 0 to 16). */
export const MAX_VECTOR_ZOOM = 16;

/** The largest zoom of a view: the tiles of the last zoom are shown up to it. */
export const LAST_VIEW_ZOOM = 22;

/** The finest usage band shown at a zoom; fractions are rounded down, and zooms out of range are clamped. */
export function bandForZoom(zoom: number): UsageBand {
  let found: UsageBand = 1;
  for (const row of BAND_ZOOMS) if (row.minZoom <= zoom) found = row.band;
  return found;
}

/** The first zoom of the tier that contains a zoom; ownership of ground is the same at both. */
export function tierForZoom(zoom: number): number {
  return BAND_ZOOMS[bandForZoom(zoom) - 1]!.minZoom;
}
