// Chooses the map view for a search result.

import type { LngLatLike } from 'maplibre-gl';
import { unrolledBounds } from '../../../shared/chart/bounds.ts';
import type { FoundName } from './search-names.ts';

export interface View {
  readonly center: LngLatLike;
  readonly zoom: number;
}

/** West, south, east, north in degrees; east may be beyond 180. */
export type UnrolledBounds = [number, number, number, number];

/** Zoom levels beyond the zoom from which the object is shown. */
const NEARER = 1;
/** Minimum zoom for a name found in view. */
const MIN_IN_VIEW = 13;

/**
 * @param zoom the current zoom
 * @param seeAll returns the view that shows a whole box, or `undefined` if the window is too small
 */
export function viewOf(
  { position, bounds, zoom: shownFrom }: FoundName,
  zoom: number,
  seeAll: (bounds: UnrolledBounds, maxZoom: number) => View | undefined,
): View {
  const center: LngLatLike = [position.longitude, position.latitude];
  if (shownFrom === undefined) return { center, zoom: Math.max(zoom, MIN_IN_VIEW) };
  const nearest = shownFrom + NEARER;
  if (bounds !== undefined) {
    const fitted = seeAll([...unrolledBounds(bounds)], nearest);
    // At a lower zoom the object may be hidden. Show a part of it at its position instead.
    return fitted !== undefined && fitted.zoom >= shownFrom ? fitted : { center, zoom: shownFrom };
  }
  return { center, zoom: Math.min(Math.max(zoom, shownFrom), nearest) };
}
