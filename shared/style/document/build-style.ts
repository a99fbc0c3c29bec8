// Builds a style document from options, colours and URLs. Equal input gives equal bytes.

import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Days } from '../../chart/in-force.ts';
import { CROWD_MAX_ZOOM, CROWD_MIN_ZOOM } from '../../crowd/bin.ts';
import { REPORTS_TILE_LAYER } from '../../reports/tile.ts';
import { expression } from '../expressions.ts';
import { fontsOf } from '../fonts.ts';
import { aidLayers, aidTextLayers } from '../layers/aids.ts';
import { areaLayers } from '../layers/areas.ts';
import { CROWD_SOURCE, crowdCells, crowdMarks, crowdView } from '../layers/crowd.ts';
import { dangerLayers } from '../layers/dangers.ts';
import { groundLayers, imagerySource, SATELLITE_SOURCE } from '../layers/ground.ts';
import { contourLabelLayers, textLayers } from '../layers/labels.ts';
import { CHART_SOURCE, type Drawing, type Fonts } from '../layers/layer.ts';
import { lineLayers } from '../layers/lines.ts';
import { REPORT_LAYERS, REPORTS_SOURCE, reportLayers } from '../layers/reports.ts';
import { symbolLayers } from '../layers/symbols.ts';
import { liveState } from '../live-choices.ts';
import { isWanted, type StyleAddresses, type StyleChart, type StyleOptions } from '../options.ts';
import { paletteFor } from '../palette.ts';
import { inForce } from './in-force.ts';
import { pickLayers } from './pick-layers.ts';
import { withTextGroups } from './text-groups.ts';

/** Must change when the documents change. It is part of cache keys and ETags. */
export const STYLE_VERSION = '18';

const FONTS: Fonts = {
  regular: ['Noto Sans Regular'],
  bold: ['Noto Sans Bold'],
  italic: ['Noto Sans Italic'],
};

export function fontsFor(font: string | undefined): Fonts {
  if (font === undefined) return FONTS;
  // `literal`, because a font may have the name of an expression operator.
  const fontList = expression('literal', fontsOf(font));
  return { regular: fontList, bold: fontList, italic: fontList };
}

export type Sources = StyleSpecification['sources'];

interface StyleInput {
  readonly options: StyleOptions;
  readonly addresses: StyleAddresses;
  readonly chart: StyleChart;
  /** Days for which objects with dates are shown. If absent, all are shown. */
  readonly days?: Days;
}

/** The URL of the tiles of reports, or `undefined` if they are not requested or not available. */
const reportsOf = ({ options, addresses }: Pick<StyleInput, 'options' | 'addresses'>) =>
  REPORT_LAYERS.some((id) => isWanted(options, id, options.showUserReports))
    ? addresses.reports
    : undefined;

/** The layers of the chart, bottom to top, before showLayers and hideLayers. */
function chartLayers(drawing: Drawing): LayerSpecification[] {
  return [
    ...groundLayers(drawing),
    ...areaLayers(drawing),
    ...lineLayers(drawing),
    ...crowdCells(drawing),
    ...crowdMarks(drawing),
    ...contourLabelLayers(drawing),
    ...symbolLayers(drawing),
    ...textLayers(drawing),
    ...aidTextLayers(drawing),
    ...dangerLayers(drawing),
    ...aidLayers(drawing),
  ];
}

/** The sources of the vector style. Their URLs may contain a token, so they are built for each caller. */
export function chartSources({ options, addresses, chart }: StyleInput): Sources {
  const imagery = imagerySource({ options, addresses });
  const reports = reportsOf({ options, addresses });
  const crowd = crowdView(options) === undefined ? undefined : addresses.crowd;
  return {
    [CHART_SOURCE]: {
      type: 'vector',
      tiles: [addresses.tiles],
      minzoom: 0,
      maxzoom: 16,
      bounds: [...chart.bounds],
      attribution: chart.attribution,
    },
    ...(imagery === undefined ? {} : { [SATELLITE_SOURCE]: imagery }),
    ...(crowd === undefined
      ? {}
      : {
          [CROWD_SOURCE]: {
            type: 'vector',
            tiles: [crowd.template],
            minzoom: CROWD_MIN_ZOOM,
            maxzoom: CROWD_MAX_ZOOM,
            bounds: [...crowd.bounds],
            attribution: crowd.attribution,
          },
        }),
    ...(reports === undefined
      ? {}
      : { [REPORTS_SOURCE]: { type: 'vector', tiles: [reports], minzoom: 0, maxzoom: 16 } }),
  };
}

/** The vector style of base.json. */
export function buildStyle(input: StyleInput): StyleSpecification {
  const { options, addresses, chart, days } = input;
  const drawing: Drawing = {
    options,
    colors: { ...paletteFor(options.theme), ...options.colors },
    fonts: fontsFor(options.font),
    addresses,
  };
  const layers = [
    ...withTextGroups(chartLayers(drawing), options),
    ...(reportsOf(drawing) === undefined ? [] : reportLayers(drawing, REPORTS_TILE_LAYER)),
  ];
  return {
    version: 8,
    name: `Leadline ${options.theme}`,
    metadata: {
      'leadline:style-version': STYLE_VERSION,
      'leadline:build': chart.buildId,
      'leadline:depth-limit-meters': options.depthLimit,
      'leadline:depth-units': options.depthUnits,
      'leadline:notice': 'Not for navigation',
      // Otherwise ol-mapbox-style loads fonts from a third-party host (see its documentation of `apply`).
      ...(addresses.webFonts === undefined ? {} : { 'ol:webfonts': addresses.webFonts }),
      ...(days === undefined ? {} : { 'leadline:days': [days.first, days.last] }),
    },
    ...(options.live ? { state: liveState(options) } : {}),
    sprite: addresses.sprite,
    glyphs: options.glyphs ?? addresses.glyphs,
    sources: chartSources(input),
    layers: pickLayers(
      days === undefined ? layers : inForce(layers, days),
      options.showLayers,
      options.hideLayers,
    ),
  };
}

/** The source of the raster style. */
export function rasterSources(tiles: string, chart: StyleChart): Sources {
  return {
    chart: {
      type: 'raster',
      tiles: [tiles],
      tileSize: 256,
      minzoom: 0,
      maxzoom: 22,
      attribution: chart.attribution,
    },
  };
}

/** The raster style of raster.json. */
export function buildRasterStyle(tiles: string, chart: StyleChart): StyleSpecification {
  return {
    version: 8,
    name: 'Leadline raster',
    metadata: { 'leadline:build': chart.buildId, 'leadline:notice': 'Not for navigation' },
    sources: rasterSources(tiles, chart),
    layers: [{ id: 'chart', type: 'raster', source: 'chart' }],
  };
}
