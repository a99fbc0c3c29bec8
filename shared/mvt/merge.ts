// Several fragments of one tile to one valid tile: a layer name may stand only once, so layers of
// equal name are joined, and points that two owners brought from their common border stand once.

import { decodeTile, polygonsOf, type TileFeature } from './decode.ts';
import {
  encodeTile,
  LayerBuilder,
  lineCommands,
  pointCommands,
  polygonCommands,
} from './encode.ts';

/** Join fragments in their order. */
export function mergeTiles(fragments: readonly Uint8Array[]): Uint8Array {
  const layers = new Map<string, LayerBuilder>();
  const seen = new Set<string>();
  for (const fragment of fragments) {
    const own = new Map<string, string[]>();
    for (const { name, features } of decodeTile(fragment)) {
      let layer = layers.get(name);
      if (layer === undefined) {
        layer = new LayerBuilder(name);
        layers.set(name, layer);
      }
      for (const feature of features) {
        if (feature.type === 1 && feature.id !== 0) {
          const key = `${name}/${feature.id}/${feature.paths[0]!.join(',')}`;
          if (seen.has(key) || isToldAgain(own, key, feature)) continue;
        }
        addFeature(layer, feature);
      }
    }
    for (const key of own.keys()) seen.add(key);
  }
  return encodeTile(layers.values());
}

/**
 * Whether one fragment has the same point twice. Two lights that a cell gives one identity and one place
 * are two where they differ.
 */
function isToldAgain(
  own: Map<string, string[]>,
  key: string,
  { properties }: TileFeature,
): boolean {
  const text = JSON.stringify(properties);
  const before = own.get(key);
  if (before?.includes(text)) return true;
  if (before === undefined) own.set(key, [text]);
  else before.push(text);
  return false;
}

/** Encode a feature as it stands. */
export function addFeature(layer: LayerBuilder, feature: TileFeature): void {
  const { id, type, properties, paths } = feature;
  const commands =
    type === 1
      ? pointCommands(paths[0]!)
      : type === 2
        ? lineCommands(paths)
        : polygonCommands(polygonsOf(paths));
  layer.add(id, type, properties, commands);
}
