// The options `showLayers` and `hideLayers`.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';

/**
 * If `show` is not empty, its layers are shown and all others are hidden, including the background. Then the
 * layers of `hide` are hidden. Unknown ids are ignored. Layers are hidden and not removed, so that clients can
 * show them.
 */
export function pickLayers(
  layers: readonly LayerSpecification[],
  show: readonly string[],
  hide: readonly string[],
): LayerSpecification[] {
  const wanted = new Set(show);
  const unwanted = new Set(hide);
  return layers.map((layer) => {
    const isWanted = wanted.has(layer.id);
    const isLeft = wanted.size > 0 && !isWanted;
    if (!isLeft && !unwanted.has(layer.id)) {
      if (!isWanted) return layer;
      return { ...layer, layout: { ...layer.layout, visibility: 'visible' } } as LayerSpecification;
    }
    return { ...layer, layout: { ...layer.layout, visibility: 'none' } } as LayerSpecification;
  });
}
