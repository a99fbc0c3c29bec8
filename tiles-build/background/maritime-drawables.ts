// Converts maritime boundaries to drawables: limits are lines, zones are areas with outline and
// name. They are drawn over both chart and background (cut-background.ts).

import type { Drawable, PropertyValue } from '../portray/features/drawable.ts';
import { cutAtAntimeridian, cutPathAtAntimeridian } from './antimeridian.ts';
import { areaOf, type NextId, pathEdge, useOf } from './background-edges.ts';
import { type GeoFeature, pathsOf, polygonsOf } from './geojson.ts';
import { minZoomOf, placeOf } from './natural-earth.ts';

/** Keywords in Natural Earth's `featurecla`, with the kind of limit (`k`) and its label. */
const KINDS: readonly (readonly [word: RegExp, k: string, text: string])[] = [
  [/disputed/i, 'disputed', 'Disputed boundary'],
  [/treaty/i, 'treaty', 'Treaty boundary'],
  [/median/i, 'median', 'Median line'],
  [/200\s*mi/i, 'limit', '200 M limit'],
];

export function maritimeDrawables(
  feature: GeoFeature,
  key: string,
  nextEdgeId: NextId,
): readonly Drawable[] {
  const minZoom = minZoomOf(feature);
  const properties = propertiesOf(feature);
  const drawables: Drawable[] = [];
  const polygons = polygonsOf(feature.geometry);
  const area = areaOf(cutAtAntimeridian(polygons), nextEdgeId);
  if (area.length > 0) {
    const geometry = { type: 'area', polygons: area } as const;
    drawables.push({ layer: 'bg_maritime_area', properties, minZoom, key, geometry });
  }
  // The original outline, not that of the area cut to the plane.
  const paths = [...pathsOf(feature.geometry), ...polygons.flat()]
    .flatMap(cutPathAtAntimeridian)
    .filter((path) => path.length >= 2);
  if (paths.length > 0) {
    const chains = paths.map((path) => [useOf(pathEdge(path, nextEdgeId))]);
    const geometry = { type: 'line', chains } as const;
    drawables.push({
      layer: 'bg_maritime_line',
      properties,
      minZoom,
      key: `${key}/line`,
      geometry,
    });
  }
  const place = placeOf(feature.geometry);
  if (place !== undefined && (properties['nm'] ?? properties['tx']) !== undefined) {
    const [longitude, latitude] = place;
    const geometry = { type: 'point', longitude, latitude } as const;
    drawables.push({
      layer: 'bg_maritime_label',
      properties,
      minZoom,
      key: `${key}/label`,
      geometry,
    });
  }
  return drawables;
}

function propertiesOf({ properties }: GeoFeature): Readonly<Record<string, PropertyValue>> {
  const name = properties['name'];
  const described = String(properties['featurecla'] ?? '');
  const [, k, text] = KINDS.find(([word]) => word.test(described)) ?? [undefined, 'boundary'];
  return {
    k,
    ...(typeof name === 'string' && name !== '' && { nm: name }),
    ...(text !== undefined && { tx: text }),
  };
}
