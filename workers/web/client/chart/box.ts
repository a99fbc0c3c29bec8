// Bounding boxes in degrees.

import type { Map as ChartMap } from 'maplibre-gl';

/** Degrees, WGS 84. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** West is greater than east across the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Bounds of the map view, extended on every side by `margin` times its size. */
export function boxOf(map: ChartMap, margin: number): Box {
  const bounds = map.getBounds();
  const across = bounds.getEast() - bounds.getWest();
  const up = bounds.getNorth() - bounds.getSouth();
  const isWorld = across * (1 + 2 * margin) >= 360;
  return {
    west: isWorld ? -180 : wrappedLongitude(bounds.getWest() - margin * across),
    south: Math.max(-90, bounds.getSouth() - margin * up),
    east: isWorld ? 180 : wrappedLongitude(bounds.getEast() + margin * across),
    north: Math.min(90, bounds.getNorth() + margin * up),
  };
}

export const holds = (box: Box, { latitude, longitude }: Position): boolean =>
  latitude >= box.south && latitude <= box.north && eastOfWest(box, longitude) <= widthOf(box);

export function isWithin(inner: Box, outer: Box): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false;
  return eastOfWest(outer, inner.west) + widthOf(inner) <= widthOf(outer);
}

const isRound = ({ west, east }: Box) => west === -180 && east === 180;
const widthOf = (box: Box) => (isRound(box) ? 360 : eastwards(box.west, box.east));
/** Degrees eastwards from the western side, so that boxes may cross 180°. */
const eastOfWest = (box: Box, longitude: number) =>
  isRound(box) ? 0 : eastwards(box.west, longitude);
const eastwards = (from: number, to: number) => (((to - from) % 360) + 360) % 360;

/** Normalizes a longitude to the range [−180, 180]. */
export const wrappedLongitude = (longitude: number): number =>
  Math.abs(longitude) <= 180 ? longitude : eastwards(-180, longitude) - 180;
