// Converts the background to drawables, so that the same code tiles background and cells. Each ring
// is one edge and is simplified as a whole.

import type { AreaOfEdges, Edge } from '../../shared/s57/cell/cell.ts';
import type { Drawable, PropertyValue } from '../portray/features/drawable.ts';
import { cutAtAntimeridian } from './antimeridian.ts';
import { areaOf, counter, type NextId, useOf } from './background-edges.ts';
import type { BackgroundLayer, LayerFeatures } from './background-layers.ts';
import { type GeoFeature, polygonsOf } from './geojson.ts';
import { maritimeDrawables } from './maritime-drawables.ts';
import { minZoomOf, placeOf } from './natural-earth.ts';

/** Edges at the antimeridian and at the poles are the frame of the data, not shore. */
const FRAME_LONGITUDE = 179.999;
const FRAME_LATITUDE = -84;

/** Drawables of all layers, in the order of layers and features. */
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
  nextEdgeId: NextId,
): readonly Drawable[] {
  if (layer === 'bg_maritime') return maritimeDrawables(feature, key, nextEdgeId);
  const properties = propertiesOf(feature);
  const minZoom = minZoomOf(feature);
  if (layer === 'bg_place' || layer === 'bg_sea_name') {
    const point = placeOf(feature.geometry);
    if (point === undefined || properties['nm'] === undefined) return [];
    const [longitude, latitude] = point;
    return [{ layer, properties, minZoom, key, geometry: { type: 'point', longitude, latitude } }];
  }
  const area = areaOf(cutAtAntimeridian(polygonsOf(feature.geometry)), nextEdgeId);
  if (area.length === 0) return [];
  const drawables: Drawable[] = [
    { layer, properties, minZoom, key, geometry: { type: 'area', polygons: area } },
  ];
  if (layer === 'bg_land') {
    const chains = edgesOf(area).flatMap((edge) => shoresOf(edge, nextEdgeId));
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

const edgesOf = (area: AreaOfEdges): readonly Edge[] =>
  area.flatMap((rings) => rings.flatMap(({ uses }) => uses.map(({ edge }) => edge)));

/** The parts of a ring that are shore, without the frame of the data. */
function shoresOf(edge: Edge, nextEdgeId: NextId): readonly Edge[] {
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
