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
    const left = wanted.size > 0 && !wanted.has(layer.id);
    if (!left && !unwanted.has(layer.id)) {
      if (!wanted.has(layer.id)) return layer;
      return { ...layer, layout: { ...layer.layout, visibility: 'visible' } } as LayerSpecification;
    }
    return { ...layer, layout: { ...layer.layout, visibility: 'none' } } as LayerSpecification;
  });
}
