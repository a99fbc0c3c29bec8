// Where to look at what the search field found.

import type { LngLatLike } from 'maplibre-gl';
import { unrolledBounds } from '../../../shared/chart/bounds.ts';
import type { FoundName } from './search-names.ts';

export interface View {
  readonly center: LngLatLike;
  readonly zoom: number;
}

/** West, south, east, north in degrees; east may be beyond 180. */
export type UnrolledBounds = [number, number, number, number];

/** Zooms that a thing is shown nearer than the chart's own. */
const NEARER = 1;
/** Where only the name in view is known. */
const LEAST_IN_VIEW = 13;

/**
 * @param zoom the present one
 * @param seeAll how all of a box is seen; undefined where the window is too small to see it
 */
export function viewOf(
  { position, bounds, zoom: shownFrom }: FoundName,
  zoom: number,
  seeAll: (bounds: UnrolledBounds, maxZoom: number) => View | undefined,
): View {
  const center: LngLatLike = [position.longitude, position.latitude];
  if (shownFrom === undefined) return { center, zoom: Math.max(zoom, LEAST_IN_VIEW) };
  const nearest = shownFrom + NEARER;
  if (bounds !== undefined) {
    const fitted = seeAll([...unrolledBounds(bounds)], nearest);
    // From farther off the chart may not show it at all: rather a part of it, where its name stands.
    return fitted !== undefined && fitted.zoom >= shownFrom ? fitted : { center, zoom: shownFrom };
  }
  return { center, zoom: Math.min(Math.max(zoom, shownFrom), nearest) };
}
