// The bottom layers: no data, imagery, background land, and the depth and land areas of the charts (S-57
// Group 1). Uncharted water, uncharted land, charted ground without depths, and charted water and land must be
// distinguishable.

import type {
  LayerSpecification,
  RasterSourceSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { depthAreaColor, isSafetyEdge } from '../depth-shading.ts';
import { expression, has, not, numberOr } from '../expressions.ts';
import { either, isSet } from '../live-choices.ts';
import { type Imagery, isWanted } from '../options.ts';
import {
  baseFill,
  basePattern,
  CHART_SOURCE,
  type Drawing,
  fill,
  hiddenUnless,
  line,
  pattern,
} from './layer.ts';

export const SATELLITE_SOURCE = 'satellite';

type Options = Pick<Drawing, 'options' | 'addresses'>;

/** The imagery below the chart, or `undefined` if it is not requested or not available. */
function imageryOf({ options, addresses }: Options): Imagery | undefined {
  const isAsked = isWanted(options, 'satellite', options.showSatellite);
  if (!isAsked) return undefined;
  const { satelliteTileUrl } = options;
  return satelliteTileUrl === undefined ? addresses.satellite : { template: satelliteTileUrl };
}

/** Values of `{s}` as in other map libraries. MapLibre does not support `{s}`. */
const HOST_LETTERS = ['a', 'b', 'c'];

/** The source of the imagery with a template for each host, or `undefined` if there is no imagery. */
export function imagerySource(request: Options): RasterSourceSpecification | undefined {
  const imagery = imageryOf(request);
  if (imagery === undefined) return undefined;
  const { template, maxZoom, attribution } = imagery;
  return {
    type: 'raster',
    tiles: template.includes('{s}')
      ? HOST_LETTERS.map((letter) => template.replaceAll('{s}', letter))
      : [template],
    tileSize: 256,
    ...(maxZoom === undefined ? {} : { maxzoom: maxZoom }),
    ...(attribution === undefined ? {} : { attribution }),
  };
}

export function groundLayers(drawing: Drawing): LayerSpecification[] {
  const { options, colors } = drawing;
  const hasImagery = imageryOf(drawing) !== undefined;
  const satellite: LayerSpecification[] = hasImagery
    ? [{ id: 'satellite', type: 'raster', source: SATELLITE_SOURCE }]
    : [];
  const isMasked = hasImagery && options.maskLandAreas;
  const hatchesNoData = options.showNoData && options.hatchNoData;
  // `maskLandAreas` removes the ground outside charted areas to show imagery.
  const flat = (layers: readonly LayerSpecification[]) =>
    layers.filter(({ id }) => isWanted(options, id, !isMasked));
  const shade = depthAreaColor(options, colors);
  return [
    { id: 'background', type: 'background', paint: { 'background-color': colors.BGWTR } },
    ...satellite,
    {
      id: 'nodata',
      type: 'background',
      layout: { visibility: hatchesNoData ? 'visible' : 'none' },
      paint: { 'background-pattern': 'NODATA03' },
    },
    ...flat([
      baseFill('bg_land', colors.BGLND),
      // Translucent and below the hatching of land, because CHWHT is the day colour of deep water.
      fill('bg_ice', colors.CHWHT, 0.35),
      hiddenUnless(hatchesNoData, basePattern('bg_land', 'BGLAND01')),
      // Lakes are holes in the land. These layers exist so that clients can hide lakes. Imagery shows through.
      hiddenUnless(!hasImagery, baseFill('bg_lake', colors.BGWTR)),
      hiddenUnless(hatchesNoData && !hasImagery, basePattern('bg_lake', 'NODATA03')),
    ]),
    // Where charts begin. The fills above cover the line between charts and the inner half at their limit.
    hiddenUnless(
      options.showNoData,
      line('coverage_line-limit', 'coverage_line', { color: colors.CHGRF, width: 2, base: true }),
    ),
    // Covered by a cell without depth data (S-52 NODTA).
    baseFill('coverage', colors.NODTA),
    // Patterns are slow to draw, and depths and land cover this one in nearly all cells.
    basePattern('coverage', 'NODEPTH1', not(has('full'))),
    baseFill('DEPARE', shade),
    baseFill('DRGARE', shade),
    ...shallowGlow(drawing),
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
    fill('BUAARE', colors.CHBRN),
    fill('AIRARE', colors.LANDF, 0.3),
    fill('RUNWAY', colors.CHGRF, 0.6),
    // Ice hides the depth (S-52 NODTA). CHWHT would look like deep water by day.
    fill('ICEARE', colors.NODTA),
  ];
}

/** A soft edge of shallow water in the theme `yacht`. Land covers the other half of the line. */
function shallowGlow({ options, colors }: Drawing): LayerSpecification[] {
  if (options.theme !== 'yacht') return [];
  const glow = line('DEPEDGE-glow', 'DEPEDGE', {
    color: colors.DEPVS,
    width: expression('interpolate', ['linear'], ['zoom'], 8, 4, 14, 16, 18, 28),
    filter: isSafetyEdge(options),
    base: true,
  });
  const soft = {
    'line-blur': ['interpolate', ['linear'], ['zoom'], 8, 3, 14, 12, 18, 22],
    'line-opacity': 0.55,
  };
  return [{ ...glow, paint: { ...glow.paint, ...soft } } as LayerSpecification];
}

/**
 * Hatching of charts that are enlarged far beyond their scale and could be mistaken for a finer chart nearby
 * (S-52 OVERSC01), directly above the area fills.
 */
export function overscaleLayer({ options }: Drawing): LayerSpecification {
  return {
    id: 'overscale-pattern',
    type: 'fill',
    source: CHART_SOURCE,
    'source-layer': 'coverage',
    filter: expression('>=', expression('zoom'), numberOr('oz', 99)) as never,
    layout: { visibility: either(isSet(options, 'showOverscale'), 'visible', 'none') as never },
    paint: { 'fill-pattern': 'OVERSC01' },
  };
}
