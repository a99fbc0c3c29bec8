// What Natural Earth's properties and geometries mean for a chart: from which zoom a feature is
// shown, and where its name stands.

import polylabel from 'polylabel';
import { cutAtAntimeridian } from './antimeridian.ts';
import { type GeoFeature, type Geometry, polygonsOf } from './geojson.ts';

/** Natural Earth counts zooms of 256-pixel tiles; ours have 512 pixels, so one less. */
export function minZoomOf({ properties }: GeoFeature): number {
  const zoom = properties['min_zoom'] ?? properties['min_label'];
  return typeof zoom === 'number' ? Math.max(0, Math.floor(zoom) - 1) : 0;
}

/** Longitude and latitude for a name: the point, or the middle of the largest area. */
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
