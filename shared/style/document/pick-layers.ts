// showLayers and hideLayers: which of a document's layers stay visible.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';

/**
 * Hide layers by id: when `show` names any, those are shown whatever hid them, and all others are
 * hidden, the plain background included; then `hide` hides more. Unknown ids are ignored. Layers are
 * made invisible rather than removed, so that a client can bring them back.
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
