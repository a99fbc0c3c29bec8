// The current style of a map.

import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';

/**
 * Returns the style document of a map, or `undefined` while it is loading (MapLibre's types omit this case).
 * Sources and layers can be added only after the next `styledata` event.
 */
export const styleOf = (map: MapLibreMap): StyleSpecification | undefined => map.getStyle();
