// Cuts lakes out of the land. Natural Earth's land includes its lakes; cut out, a lake is water in
// tiles, shoreline and routes.

import { boundsOf, boxesMeet, type Flat } from '../../shared/geo/clip-box.ts';
import { groupRings, oriented } from '../../shared/geo/ring.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { DEGREE } from '../quilt/coverage.ts';
import { cutAtAntimeridian } from './antimeridian.ts';
import type { LayerFeatures } from './background-layers.ts';
import { type GeoFeature, polygonsOf, type Ring } from './geojson.ts';

/** The layers, with every lake of `bg_lake` cut out of `bg_land`. */
export function cutLakesOut(
  layers: readonly LayerFeatures[],
  clipper: Clipper,
): readonly LayerFeatures[] {
  const lakes = layers
    .filter(({ layer }) => layer === 'bg_lake')
    .flatMap(({ features }) => features.flatMap(polygonsOnGrid))
    .map((rings) => ({ rings, box: boundsOf(rings) }));
  if (lakes.length === 0) return layers;

  const withoutLakes = (polygon: readonly Ring[]): readonly (readonly Ring[])[] => {
    const rings = onGrid(polygon);
    const box = boundsOf(rings);
    const within = lakes.filter((lake) => boxesMeet(lake.box, box));
    if (within.length === 0) return [polygon];
    const left = clipper.difference(
      rings,
      within.flatMap((lake) => lake.rings),
    );
    // Land inside a lake is an island.
    if (left.length === 0) return [polygon];
    return groupRings(left).map((polygonLeft) => polygonLeft.map(inDegrees));
  };

  return layers.map(({ layer, features }) => {
    if (layer !== 'bg_land') return { layer, features };
    const cut = features.map((feature): GeoFeature => {
      const polygons = cutAtAntimeridian(polygonsOf(feature.geometry));
      const coordinates = polygons.flatMap(withoutLakes);
      return { ...feature, geometry: { type: 'MultiPolygon', coordinates } };
    });
    return { layer, features: cut };
  });
}

function polygonsOnGrid({ geometry }: GeoFeature): Flat[][] {
  return cutAtAntimeridian(polygonsOf(geometry))
    .map(onGrid)
    .filter((rings) => rings.length > 0);
}

/** Rings in integer grid units, without a repeated first point; outer rings wind positive. */
function onGrid(polygon: readonly Ring[]): Flat[] {
  return polygon
    .map((ring, i) => {
      const flat = ring
        .slice(0, -1)
        .flatMap(([x, y]) => [Math.round(x! * DEGREE), Math.round(y! * DEGREE)]);
      return oriented(flat, i === 0);
    })
    .filter((ring) => ring.length >= 6);
}

function inDegrees(ring: Flat): Ring {
  const positions: [number, number][] = [];
  for (let i = 0; i < ring.length; i += 2) {
    positions.push([ring[i]! / DEGREE, ring[i + 1]! / DEGREE]);
  }
  return [...positions, positions[0]!];
}
