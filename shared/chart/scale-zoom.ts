// Converts scales to zooms: SCAMIN is the display scale at which an object disappears, and the scale of a Mercator
// map depends on the latitude.

/** Metres per pixel at the equator at zoom 0 (512-pixel tiles). */
export const METERS_PER_PIXEL = 78_271.517;
/** Pixel size that S-52 assumes. */
const PIXEL_METERS = 0.000_28;

/**
 * First whole zoom from which styles show features between two zooms. Below it, all features of a tile are shown as
 * soon as the tile is, whatever the fraction of their zoom.
 */
export const FIRST_FADED_ZOOM = 7;

/** Zoom at which a map shows 1:`scaleDenominator` at a latitude in degrees. */
export function zoomOfScale(scaleDenominator: number, latitude: number): number {
  const cosine = Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6);
  return Math.log2((METERS_PER_PIXEL * cosine) / (scaleDenominator * PIXEL_METERS));
}

/**
 * SCAMIN as a zoom with one decimal, rounded down so that the first whole zoom matches it; `undefined` if the
 * object is shown at all scales of its cell.
 */
export function scaminZoom(scamin: number | undefined, latitude: number): number | undefined {
  if (scamin === undefined || scamin < 1) return undefined;
  const zoom = Math.floor(zoomOfScale(scamin, latitude) * 10) / 10;
  return zoom > 0 ? zoom : undefined;
}
