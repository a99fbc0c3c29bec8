// Merges fragments of one tile. Layers with the same name are joined, because names must be unique.
// Points on a common border that both fragments contain are kept once.
//
// The soundings of all fragments are in one order, from deep to shallow: of soundings with equal sort keys, the last
// one is drawn on top.

import { remembered } from '../geo/map-entries.ts';
import { decodeTile, polygonsOf, type TileFeature, type TileLayer } from './decode.ts';
import {
  encodeTile,
  LayerBuilder,
  lineCommands,
  pointCommands,
  polygonCommands,
} from './encode.ts';

/** Merge fragments in order. */
export function mergeTiles(fragments: readonly Uint8Array[]): Uint8Array {
  const layers = new Map<string, LayerBuilder>();
  const seen = new Set<string>();
  const soundings: TileFeature[] = [];
  for (const fragment of fragments) {
    const ownLayers = new Map<string, string[]>();
    for (const { name, features } of decodeTile(fragment)) {
      const layer = remembered(layers, name, () => new LayerBuilder(name));
      for (const feature of features) {
        if (feature.type === 1 && feature.id !== 0) {
          const key = `${name}/${feature.id}/${feature.paths[0]!.join(',')}`;
          if (seen.has(key) || isDuplicate(ownLayers, key, feature)) continue;
        }
        if (name === 'SOUNDG') soundings.push(feature);
        else addFeature(layer, feature);
      }
    }
    for (const key of ownLayers.keys()) seen.add(key);
  }
  for (const feature of fromDeepToShallow(soundings)) addFeature(layers.get('SOUNDG')!, feature);
  return encodeTile(layers.values());
}

/** Sorts soundings in place by their depth in metres, `d`; equal ones keep their order. */
export const fromDeepToShallow = (soundings: TileFeature[]): readonly TileFeature[] =>
  soundings.sort((a, b) => Number(b.properties['d']) - Number(a.properties['d']));

/**
 * Whether this fragment already has the same point with the same properties. Two lights with one
 * identity and position are both kept if they differ.
 */
function isDuplicate(
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

/** A layer of decoded features. */
export function builderOf({ name, features }: Pick<TileLayer, 'name' | 'features'>): LayerBuilder {
  const builder = new LayerBuilder(name);
  for (const feature of features) addFeature(builder, feature);
  return builder;
}

/** Add a decoded feature to a layer. */
function addFeature(layer: LayerBuilder, feature: TileFeature): void {
  const { id, type, properties, paths } = feature;
  const commands =
    type === 1
      ? pointCommands(paths[0]!)
      : type === 2
        ? lineCommands(paths)
        : polygonCommands(polygonsOf(paths));
  layer.add(id, type, properties, commands);
}
