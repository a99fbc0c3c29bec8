// A chart with more names of aids to navigation than fit, and lists of the style layers of aids and of texts that must
// not cover aids.

import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { inject } from 'vitest';
import { hasBusyCells, hasEncData } from './enc-data.ts';
import { realCharts } from './real-charts.ts';

interface CrowdedWater {
  readonly name: string;
  readonly charts: () => Promise<string> | string;
  /** Longitude and latitude of its middle. */
  readonly center: readonly [number, number];
}

export const CROWDED_WATERS: readonly CrowdedWater[] = [
  { name: 'the demo port', charts: () => inject('demoCharts'), center: [-20, -30.02] },
  ...(hasEncData
    ? [
        {
          name: 'Tacoma',
          charts: realCharts,
          center: [-122.43, 47.275] as const,
        },
      ]
    : []),
  ...(hasEncData && hasBusyCells
    ? [
        { name: 'Boston', charts: realCharts, center: [-70.98, 42.335] as const },
        {
          name: 'the Chesapeake',
          charts: realCharts,
          center: [-76.386, 38.97] as const,
        },
      ]
    : []),
];

/** Layers of symbols of aids to navigation. */
const AIDS = /^(?:BOY\w+|BCN\w+|LITFLT|LITVES|LIGHTS|DAYMAR|TOPMAR|FOGSIG|RTPBCN|RADRFL)-icon$/;

/** Layers of dangers and of shoal soundings. */
const DANGERS = /^(?:(?:UWTROC|OBSTRN|WRECKS)-icon|SOUNDG-depth)$/;

/** Soundings and depths of dangers stay at their measured position. */
const MEASURED = /^(?:SOUNDG-label|\w+-depth)$/;

/** Layers of symbols of aids and dangers, of texts that must not cover them, and of texts at fixed positions. */
export function layersByRole(style: StyleSpecification) {
  const symbols = style.layers.filter(
    (layer) => layer.type === 'symbol' && layer.layout?.visibility !== 'none',
  );
  const ids = symbols.map(({ id }) => id);
  const texts = symbols
    .filter((layer) => layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined)
    .map(({ id }) => id);
  return {
    aids: ids.filter((id) => AIDS.test(id)),
    dangers: ids.filter((id) => DANGERS.test(id)),
    measured: texts.filter((id) => MEASURED.test(id)),
    names: texts.filter((id) => !MEASURED.test(id)),
  };
}
