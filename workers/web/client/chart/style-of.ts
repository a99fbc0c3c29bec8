// What a map shows, and whether it can be added to.

import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';

/**
 * The document of a map; undefined while one is on its way, though MapLibre's types do not say so. Until then
 * nothing can be added: `styledata` tells when.
 */
export const styleOf = (map: MapLibreMap): StyleSpecification | undefined => map.getStyle();
