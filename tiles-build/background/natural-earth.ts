// Interprets Natural Earth's properties and geometries: minimum zoom, label position, and land that
// does not exist.

import polylabel from 'polylabel';
import { BACKGROUND_MAX_ZOOM } from '../quilt/made-tiles.ts';
import { cutAtAntimeridian } from './antimeridian.ts';
import { type GeoFeature, type Geometry, polygonsOf, type Ring } from './geojson.ts';

/**
 * Natural Earth's zooms refer to tiles of 256 pixels. Leadline's tiles have 512 pixels, so its zoom
 * is one less. Away from charts, deeper tiles than those of `BACKGROUND_MAX_ZOOM` are cut from them.
 */
export function minZoomOf({ properties }: GeoFeature): number {
  const zoom = properties['min_zoom'] ?? properties['min_label'];
  if (typeof zoom !== 'number') return 0;
  return Math.min(Math.max(0, Math.floor(zoom) - 1), BACKGROUND_MAX_ZOOM);
}

/** Longitude and latitude of the label: the point, or the centre of the largest area. */
export function placeOf(geometry: Geometry): readonly [number, number] | undefined {
  if (geometry.type === 'Point') return [geometry.coordinates[0]!, geometry.coordinates[1]!];
  const byLength = [...cutAtAntimeridian(polygonsOf(geometry))].sort(
    (a, b) => b[0]!.length - a[0]!.length,
  );
  const largest = byLength[0];
  if (largest === undefined) return undefined;
  const rings = largest.map((ring) => ring.map((p): [number, number] => [p[0]!, p[1]!]));
  const [longitude, latitude] = polylabel(rings, 0.1);
  return [longitude, latitude];
}

/** Degrees. With few digits, the square of one metre becomes a kilometre wide. */
const NULL_ISLAND_DEGREES = 0.02;

/**
 * Remove "Null Island", a square of one metre at 0° N 0° E to which Natural Earth assigns features
 * without a location. A buoy in 4,900 m of water lies there.
 */
export function withoutNullIsland(features: readonly GeoFeature[]): readonly GeoFeature[] {
  return features.flatMap((feature) => {
    const all = polygonsOf(feature.geometry);
    const land = all.filter((rings) => !isNullIsland(rings));
    if (land.length === all.length) return [feature];
    if (land.length === 0) return [];
    return [{ ...feature, geometry: { type: 'MultiPolygon', coordinates: land } }];
  });
}

/** Whether an area lies entirely at 0° N 0° E. */
const isNullIsland = ([outer = []]: readonly Ring[]): boolean =>
  outer.length > 0 &&
  outer.every((position) => position.every((degrees) => Math.abs(degrees) <= NULL_ISLAND_DEGREES));
