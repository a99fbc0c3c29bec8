// What is drawn over a chart: a change of style takes away all that was added to it, so it is
// added again with each.

import type { Map as ChartMap, GeoJSONSource, StyleSpecification } from 'maplibre-gl';
import { styleOf } from './style-of.ts';

export type Collection = Exclude<Parameters<GeoJSONSource['setData']>[0], string>;

const NOTHING: Collection = { type: 'FeatureCollection', features: [] };

/** What each source shows: setting data tells of a change of style, which asks to set it again. */
const dataOf = new WeakMap<GeoJSONSource, Collection | undefined>();

/**
 * @param name of the source
 * @param layers as the style of the moment wants them
 * @returns shows other features, or nothing
 */
export function keepDrawn(
  map: ChartMap,
  name: string,
  layers: () => StyleSpecification['layers'],
): (features: Collection | undefined) => void {
  let shown: Collection | undefined;
  const draw = () => {
    const source = map.getSource<GeoJSONSource>(name);
    if (source === undefined) {
      if (shown === undefined || styleOf(map) === undefined) return;
      map.addSource(name, { type: 'geojson', data: shown });
      for (const layer of layers()) map.addLayer(layer);
      dataOf.set(map.getSource(name)!, shown);
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
