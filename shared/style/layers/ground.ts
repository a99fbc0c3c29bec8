// What lies at the bottom: no data, imagery, background land, and the skin of the earth that the
// chart's own depth and land areas make (S-57 Group 1).

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { depthAreaColor } from '../depth-shading.ts';
import { expression, numberOr } from '../expressions.ts';
import { baseFill, CHART_SOURCE, type Drawing, fill, pattern } from './layer.ts';

export const SATELLITE_SOURCE = 'satellite';

/** The imagery to lie below the chart, where it is wanted and there is one. */
export function imageryOf({
  options,
  addresses,
}: Pick<Drawing, 'options' | 'addresses'>): string | undefined {
  return options.showSatellite ? (options.satelliteTileUrl ?? addresses.satellite) : undefined;
}

export function groundLayers(drawing: Drawing): LayerSpecification[] {
  const { options, colors } = drawing;
  const hasImagery = imageryOf(drawing) !== undefined;
  const satellite: LayerSpecification[] = hasImagery
    ? [{ id: 'satellite', type: 'raster', source: SATELLITE_SOURCE }]
    : [];
  const shade = depthAreaColor(options, colors);
  return [
    { id: 'background', type: 'background', paint: { 'background-color': colors.NODTA } },
    {
      id: 'nodata',
      type: 'background',
      layout: { visibility: options.showNoData && !hasImagery ? 'visible' : 'none' },
      paint: { 'background-pattern': 'NODATA03' },
    },
    ...satellite,
    ...(hasImagery && options.maskLandAreas ? [] : [baseFill('bg_land', colors.LANDA)]),
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
    fill('DOCARE', colors.DEPVS),
    fill('TIDEWY', colors.DEPIT),
    fill('RAPIDS', colors.CHGRF),
    fill('PRDARE', colors.LANDF, 0.3),
    fill('SQUARE', colors.CHBRN),
    fill('SLOGRD', colors.LANDF, 0.3),
    fill('BUAARE', colors.CHBRN),
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
    filter: expression('>=', expression('zoom'), numberOr('oz', 99)) as never,
    layout: { visibility: options.showOverscale ? 'visible' : 'none' },
    paint: { 'fill-pattern': 'OVERSC01' },
  };
}
