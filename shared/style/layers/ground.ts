// What lies at the bottom: no data, imagery, background land, and the skin of the earth that the
// chart's own depth and land areas make (S-57 Group 1). Four grounds must never be taken for one
// another: uncharted water, uncharted land, charted ground without depths, charted water and land.

import type {
  LayerSpecification,
  RasterSourceSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { depthAreaColor, isSafetyEdge } from '../depth-shading.ts';
import { expression, numberOr } from '../expressions.ts';
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

/** The imagery to lie below the chart, where it is wanted and there is one. */
function imageryOf({ options, addresses }: Options): Imagery | undefined {
  const isAsked = isWanted(options, 'satellite', options.showSatellite);
  if (!isAsked) return undefined;
  const { satelliteTileUrl } = options;
  return satelliteTileUrl === undefined ? addresses.satellite : { template: satelliteTileUrl };
}

/** Hosts that `{s}` stands for: the letters that other maps put there; this renderer has no `{s}`. */
const HOST_LETTERS = ['a', 'b', 'c'];

/** The source of the imagery, its tiles at one template a host; undefined where there is no imagery. */
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
  const marksNoData = options.showNoData ?? !hasImagery;
  // Flat ground outside charted areas, which `maskLandAreas` takes away to show imagery.
  const flat = (layers: readonly LayerSpecification[]) =>
    layers.filter(({ id }) => isWanted(options, id, !isMasked));
  const shade = depthAreaColor(options, colors);
  return [
    { id: 'background', type: 'background', paint: { 'background-color': colors.BGWTR } },
    ...satellite,
    {
      id: 'nodata',
      type: 'background',
      layout: { visibility: marksNoData ? 'visible' : 'none' },
      paint: { 'background-pattern': 'NODATA03' },
    },
    ...flat([
      baseFill('bg_land', colors.BGLND),
      // Thin and below the land's hatching: by day CHWHT is the colour of deep water.
      fill('bg_ice', colors.CHWHT, 0.35),
      hiddenUnless(marksNoData, basePattern('bg_land', 'BGLAND01')),
      // Lakes are holes in the land and look like the sea: here again for who hides them. Imagery
      // shows through both.
      hiddenUnless(!hasImagery, baseFill('bg_lake', colors.BGWTR)),
      hiddenUnless(marksNoData && !hasImagery, basePattern('bg_lake', 'NODATA03')),
    ]),
    // Covered by a cell that does not say what is there: no depth data (S-52 NODTA), no deep water.
    baseFill('coverage', colors.NODTA),
    basePattern('coverage', 'NODEPTH1'),
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
    fill('PRDARE', colors.LANDF, 0.3),
    fill('SQUARE', colors.CHBRN),
    fill('SLOGRD', colors.LANDF, 0.3),
    fill('BUAARE', colors.CHBRN),
    fill('AIRARE', colors.LANDF, 0.3),
    fill('RUNWAY', colors.CHGRF, 0.6),
    fill('ICEARE', colors.CHWHT),
  ];
}

/** A soft edge of shallow water, in the theme that paints rather than draws. Land covers its half. */
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
 * Hatching over ground shown much larger than it was compiled, where a finer chart is near that one
 * might take it for (S-52 OVERSC01), directly above the area fills.
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
