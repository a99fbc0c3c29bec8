// Draws features over the chart. A new style removes added sources and layers, so they are added again.

import type {
  Map as ChartMap,
  GeoJSONSource,
  GeoJSONSourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { styleOf } from './style-of.ts';

export type Collection = Exclude<Parameters<GeoJSONSource['setData']>[0], string>;

const NOTHING: Collection = { type: 'FeatureCollection', features: [] };

/**
 * @param name id of the source
 * @param layers returns the layers for the current style
 * @param options of the source
 * @returns a function that shows features, or none if `undefined`
 */
export function keepDrawn(
  map: ChartMap,
  name: string,
  layers: () => StyleSpecification['layers'],
  options: Omit<GeoJSONSourceSpecification, 'type' | 'data'> = {},
): (features: Collection | undefined) => void {
  let shown: Collection | undefined;
  /** The data of each source. `setData` fires `styledata`, which would set the same data again. */
  const dataOf = new WeakMap<GeoJSONSource, Collection | undefined>();
  const draw = () => {
    const source = map.getSource<GeoJSONSource>(name);
    if (source === undefined) {
      if (shown === undefined || styleOf(map) === undefined) return;
      map.addSource(name, { ...options, type: 'geojson', data: shown });
      dataOf.set(map.getSource(name)!, shown);
      for (const layer of layers()) map.addLayer(layer);
    } else if (dataOf.get(source) !== shown) {
      dataOf.set(source, shown);
      source.setData(shown ?? NOTHING);
    }
  };
  map.on('styledata', draw);
  return (features) => {
    shown = features;
    draw();
  };
}
