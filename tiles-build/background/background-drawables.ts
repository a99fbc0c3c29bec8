// The background as drawables, so that it is tiled by the same code as the cells: each ring is one
// edge of its own, simplified as a whole.

import polylabel from 'polylabel';
import type { AreaOfEdges, Edge, EdgeUse } from '../../shared/s57/cell/cell.ts';
import type { Drawable, PropertyValue } from '../portray/features/drawable.ts';
import { cutAtAntimeridian } from './antimeridian.ts';
import type { BackgroundLayer, LayerFeatures } from './background-layers.ts';
import { type GeoFeature, type Geometry, polygonsOf, type Ring } from './geojson.ts';

/** Edges that the data's own frame made, not a shore: along the antimeridian and at the poles. */
const FRAME_LONGITUDE = 179.999;
const FRAME_LATITUDE = -84;

/** Drawables of all layers, in the order of the layers and their features. */
export function backgroundDrawables(layers: readonly LayerFeatures[]): readonly Drawable[] {
  const nextEdgeId = counter();
  return layers.flatMap(({ layer, features }) =>
    features.flatMap((feature, i) => drawablesOf(layer, feature, `${layer}/${i}`, nextEdgeId)),
  );
}

function drawablesOf(
  layer: BackgroundLayer,
  feature: GeoFeature,
  key: string,
  nextEdgeId: () => number,
): readonly Drawable[] {
  const properties = propertiesOf(feature);
  const minZoom = minZoomOf(feature);
  if (layer === 'bg_place' || layer === 'bg_sea_name') {
    const point = pointOf(feature.geometry);
    if (point === undefined || properties['nm'] === undefined) return [];
    const [longitude, latitude] = point;
    return [{ layer, properties, minZoom, key, geometry: { type: 'point', longitude, latitude } }];
  }
  const polygons = cutAtAntimeridian(polygonsOf(feature.geometry)).flatMap((rings) => {
    const whole = rings.filter((ring) => ring.length >= 4);
    return whole.length === 0 ? [] : [whole.map((ring) => edgeOf(ring, nextEdgeId))];
  });
  if (polygons.length === 0) return [];
  const area: AreaOfEdges = polygons.map((edges) =>
    edges.map((edge, i) => ({ uses: [useOf(edge)], exterior: i === 0 })),
  );
  const drawables: Drawable[] = [
    { layer, properties, minZoom, key, geometry: { type: 'area', polygons: area } },
  ];
  if (layer === 'bg_land') {
    const chains = polygons.flat().flatMap((edge) => shoresOf(edge, nextEdgeId));
    const rank = properties['rank'];
    drawables.push({
      layer: 'bg_coast',
      properties: rank === undefined ? {} : { rank },
      minZoom,
      key: `${key}/coast`,
      geometry: { type: 'line', chains: chains.map((edge) => [useOf(edge)]) },
    });
  }
  return drawables;
}

function propertiesOf({ properties }: GeoFeature): Readonly<Record<string, PropertyValue>> {
  const name = properties['name'];
  const rank = properties['scalerank'];
  return {
    ...(typeof name === 'string' && name !== '' && { nm: name }),
    ...(typeof rank === 'number' && { rank }),
  };
}

/** Natural Earth counts zooms of 256-pixel tiles; ours have 512 pixels, so one less. */
function minZoomOf({ properties }: GeoFeature): number {
  const zoom = properties['min_zoom'] ?? properties['min_label'];
  return typeof zoom === 'number' ? Math.max(0, Math.floor(zoom) - 1) : 0;
}

function pointOf(geometry: Geometry): readonly [number, number] | undefined {
  if (geometry.type === 'Point') return [geometry.coordinates[0]!, geometry.coordinates[1]!];
  const byLength = [...polygonsOf(geometry)].sort((a, b) => b[0]!.length - a[0]!.length);
  const largest = byLength[0];
  if (largest === undefined) return undefined;
  const rings = largest.map((ring) => ring.map((p): [number, number] => [p[0]!, p[1]!]));
  const [longitude, latitude] = polylabel(rings, 0.1);
  return [longitude, latitude];
}

function edgeOf(ring: Ring, nextEdgeId: () => number): Edge {
  const positions = new Float64Array(ring.length * 2);
  ring.forEach((position, i) => {
    positions[2 * i] = position[0]!;
    positions[2 * i + 1] = position[1]!;
  });
  const id = nextEdgeId();
  // Begin and end are one node: the ring closes there.
  return { id, begin: id, end: id, positions, attributes: {} };
}

function useOf(edge: Edge): EdgeUse {
  return { edge, reversed: false, drawable: true };
}

/** The runs of a ring that are shore, without the frame of the data. The ring itself if all is. */
function shoresOf(edge: Edge, nextEdgeId: () => number): readonly Edge[] {
  const { positions } = edge;
  const runs: number[][] = [];
  let run: number[] = [];
  for (let i = 0; i + 3 < positions.length; i += 2) {
    const [x1, y1, x2, y2] = positions.subarray(i, i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (isOnFrame(x1, y1) && isOnFrame(x2, y2)) {
      if (run.length > 0) runs.push(run);
      run = [];
      continue;
    }
    if (run.length === 0) run.push(x1, y1);
    run.push(x2, y2);
  }
  if (run.length === positions.length) return [edge];
  if (run.length > 0) runs.push(run);
  return runs.map((coordinates) => {
    const id = nextEdgeId();
    const positions = Float64Array.from(coordinates);
    return { id, begin: nextEdgeId(), end: nextEdgeId(), positions, attributes: {} };
  });
}

function isOnFrame(longitude: number, latitude: number): boolean {
  return Math.abs(longitude) > FRAME_LONGITUDE || latitude < FRAME_LATITUDE;
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}
