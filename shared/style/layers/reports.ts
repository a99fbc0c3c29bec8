// Pins of user reports, and circles with the number of several reports. Reports have their own source, so
// that chart tiles remain cacheable: tiles of reports, or on a page of ours a list.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { expression, get, has, is, not } from '../expressions.ts';
import type { Palette } from '../palette.ts';
import type { Fonts } from './layer.ts';

export const REPORTS_SOURCE = 'userReports';
export const REPORTS_LAYER = 'user_reports-icon';
export const CLUSTERS_LAYER = 'user_reports-cluster';
const COUNTS_LAYER = 'user_reports-count';
export const REPORT_LAYERS: readonly string[] = [REPORTS_LAYER, CLUSTERS_LAYER, COUNTS_LAYER];

const isCluster = has('point_count');

/** Pins of single reports. @param sourceLayer layer of the tiles; absent for GeoJSON */
export const reportLayer = (sourceLayer?: string): LayerSpecification =>
  layer('symbol', REPORTS_LAYER, sourceLayer, {
    filter: not(isCluster),
    layout: {
      'icon-image': expression(
        'match',
        get('reportType'),
        ...['accident', 'weather', 'wildlife'].flatMap((kind) => [kind, `UR-${kind}`]),
        'UR-hazard',
      ),
      'icon-anchor': 'center',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
  });

/** Pins, and circles that have another colour if they contain a hazard. @param sourceLayer as above */
export function reportLayers(
  { colors, fonts }: { readonly colors: Palette; readonly fonts: Fonts },
  sourceLayer?: string,
): LayerSpecification[] {
  return [
    reportLayer(sourceLayer),
    layer('circle', CLUSTERS_LAYER, sourceLayer, {
      filter: isCluster,
      paint: {
        'circle-radius': expression('step', get('point_count'), 13, 100, 16, 1000, 20),
        'circle-color': expression('case', is('hazards', 0), colors.UREPW, colors.UREPH),
        'circle-stroke-color': colors.OUTLW,
        'circle-stroke-width': 1.2,
      },
    }),
    layer('symbol', COUNTS_LAYER, sourceLayer, {
      filter: isCluster,
      layout: {
        // There are more if the tile contains only the newest.
        'text-field': expression(
          'concat',
          get('point_count'),
          expression('case', expression('==', get('is_partial'), true), '+', ''),
        ),
        'text-font': fonts.bold,
        'text-size': 12,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': colors.OUTLW },
    }),
  ];
}

const layer = (type: string, id: string, sourceLayer: string | undefined, parts: object) =>
  ({
    id,
    type,
    source: REPORTS_SOURCE,
    ...(sourceLayer === undefined ? {} : { 'source-layer': sourceLayer }),
    ...parts,
  }) as LayerSpecification;
