// What lies at the bottom: no data, imagery, background land, and the skin of the earth that the
// chart's own depth and land areas make (S-57 Group 1).

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { depthAreaColor } from '../depth-shading.ts';
import { expression, get } from '../expressions.ts';
import { baseFill, CHART_SOURCE, type Drawing, fill, pattern } from './layer.ts';

export const SATELLITE_SOURCE = 'satellite';

export function groundLayers(drawing: Drawing): LayerSpecification[] {
  const { options, colors } = drawing;
  const satellite: LayerSpecification[] = options.showSatellite
    ? [{ id: 'satellite', type: 'raster', source: SATELLITE_SOURCE }]
    : [];
  const shade = depthAreaColor(options, colors);
  return [
    { id: 'background', type: 'background', paint: { 'background-color': colors.NODTA } },
    {
      id: 'nodata',
      type: 'background',
      layout: { visibility: options.showNoData && !options.showSatellite ? 'visible' : 'none' },
      paint: { 'background-pattern': 'NODATA03' },
    },
    ...satellite,
    ...(options.showSatellite && options.maskLandAreas ? [] : [baseFill('bg_land', colors.LANDA)]),
    baseFill('bg_lake', colors.DEPVS),
    baseFill('bg_ice', colors.CHWHT),
    baseFill('coverage', colors.DEPDW),
    baseFill('DEPARE', shade),
    baseFill('DRGARE', shade),
    baseFill('UNSARE', colors.NODTA),
    pattern('UNSARE-pattern', 'UNSARE', 'PRTSUR01'),
    pattern('DRGARE-pattern', 'DRGARE', 'DRGARE01'),
    baseFill('LNDARE', colors.LANDA),
    fill('LAKARE', colors.DEPVS),
    fill('RIVERS', colors.DEPVS),
    fill('CANALS', colors.DEPVS),
    fill('LOKBSN', colors.DEPVS),
    fill('DRYDOC', colors.LANDA),
    fill('BUAARE', colors.CHBRN),
    pattern('VEGATN-pattern', 'VEGATN', get('sy'), expression('has', 'sy')),
    fill('AIRARE', colors.LANDF, 0.3),
    fill('RUNWAY', colors.CHGRF, 0.6),
    fill('ICEARE', colors.CHWHT),
  ];
}

/** Hatching over ground shown much larger than it was compiled, directly above the area fills. */
export function overscaleLayer({ options }: Drawing): LayerSpecification {
  return {
    id: 'overscale-pattern',
    type: 'fill',
    source: CHART_SOURCE,
    'source-layer': 'coverage',
    filter: expression('>=', expression('zoom'), expression('coalesce', get('oz'), 99)) as never,
    layout: { visibility: options.showOverscale ? 'visible' : 'none' },
    paint: { 'fill-pattern': 'OVERSC01' },
  };
}
