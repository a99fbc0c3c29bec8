// What lies at the bottom: no data, imagery, background land, and the skin of the earth that the
// chart's own depth and land areas make (S-57 Group 1). Four grounds must never be taken for one
// another: uncharted water, uncharted land, charted ground without depths, charted water and land.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { depthAreaColor } from '../depth-shading.ts';
import { expression, numberOr } from '../expressions.ts';
import {
  baseFill,
  basePattern,
  CHART_SOURCE,
  type Drawing,
  fill,
  hiddenUnless,
  pattern,
} from './layer.ts';

export const SATELLITE_SOURCE = 'satellite';

/** The imagery to lie below the chart, where it is wanted and there is one. */
export function imageryOf({ options, addresses }: Drawing): string | undefined {
  return options.showSatellite ? (options.satelliteTileUrl ?? addresses.satellite) : undefined;
}

export function groundLayers(drawing: Drawing): LayerSpecification[] {
  const { options, colors } = drawing;
  const hasImagery = imageryOf(drawing) !== undefined;
  const satellite: LayerSpecification[] = hasImagery
    ? [{ id: 'satellite', type: 'raster', source: SATELLITE_SOURCE }]
    : [];
  const shade = depthAreaColor(options, colors);
  const marksNoData = options.showNoData && !hasImagery;
  return [
    { id: 'background', type: 'background', paint: { 'background-color': colors.NODTA } },
    {
      id: 'nodata',
      type: 'background',
      layout: { visibility: marksNoData ? 'visible' : 'none' },
      paint: { 'background-pattern': 'NODATA03' },
    },
    ...satellite,
    ...(hasImagery && options.maskLandAreas ? [] : [baseFill('bg_land', colors.BGLND)]),
    // Thin and below the land's hatching: by day CHWHT is the colour of deep water.
    fill('bg_ice', colors.CHWHT, 0.35),
    hiddenUnless(marksNoData, basePattern('bg_land', 'BGLAND01')),
    // Lakes are holes in the land, so they look like the sea around it: here again for who hides it.
    hiddenUnless(!hasImagery, baseFill('bg_lake', colors.NODTA)),
    hiddenUnless(marksNoData, basePattern('bg_lake', 'NODATA03')),
    // Covered by a cell that does not say what is there: no depth data (S-52 NODTA), no deep water.
    baseFill('coverage', colors.NODTA),
    basePattern('coverage', 'NODEPTH1'),
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
