// Options, colours and addresses to one style document. Pure: the same input gives the same bytes.

import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { expression } from '../expressions.ts';
import { areaLayers } from '../layers/areas.ts';
import { groundLayers, imageryOf, SATELLITE_SOURCE } from '../layers/ground.ts';
import { contourLabelLayer, depthLabelLayers, textLayers } from '../layers/labels.ts';
import { CHART_SOURCE, type Drawing, type Fonts } from '../layers/layer.ts';
import { lineLayers } from '../layers/lines.ts';
import { REPORTS_SOURCE, reportLayer, symbolLayers } from '../layers/symbols.ts';
import type { StyleAddresses, StyleChart, StyleOptions } from '../options.ts';
import { paletteFor } from '../palette.ts';
import { pickLayers } from './pick-layers.ts';

/** Changes with every change of the documents this builder makes; part of cache keys and ETags. */
export const STYLE_VERSION = '1';

const FONTS: Fonts = {
  regular: ['Noto Sans Regular'],
  bold: ['Noto Sans Bold'],
  italic: ['Noto Sans Italic'],
};

export function fontsFor(font: string | undefined): Fonts {
  if (font === undefined) return FONTS;
  // Said to be literal: a font may be named like an operator of expressions.
  const own = expression('literal', [font]);
  return { regular: own, bold: own, italic: own };
}

/** Everything a document is made from. */
export interface StyleInput {
  readonly options: StyleOptions;
  readonly addresses: StyleAddresses;
  readonly chart: StyleChart;
}

/** The layers of a document, bottom to top, before showLayers and hideLayers. */
export function chartLayers(drawing: Drawing): LayerSpecification[] {
  return [
    ...groundLayers(drawing),
    ...areaLayers(drawing),
    ...lineLayers(drawing),
    contourLabelLayer(drawing),
    ...symbolLayers(drawing),
    ...depthLabelLayers(drawing),
    ...textLayers(drawing),
    ...(drawing.options.showUserReports ? [reportLayer()] : []),
  ];
}

/** The vector style of the contract's base.json. */
export function buildStyle({ options, addresses, chart }: StyleInput): StyleSpecification {
  const drawing: Drawing = {
    options,
    colors: { ...paletteFor(options.theme), ...options.colors },
    fonts: fontsFor(options.font),
    addresses,
  };
  const imagery = imageryOf(drawing);
  return {
    version: 8,
    name: `Leadline ${options.theme}`,
    metadata: {
      'leadline:style-version': STYLE_VERSION,
      'leadline:build': chart.buildId,
      'leadline:depth-limit-meters': options.depthLimit,
      'leadline:depth-units': options.depthUnits,
      'leadline:notice': 'Not for navigation',
    },
    sprite: addresses.sprite,
    glyphs: options.glyphs ?? addresses.glyphs,
    sources: {
      [CHART_SOURCE]: {
        type: 'vector',
        tiles: [addresses.tiles],
        minzoom: 0,
        maxzoom: 16,
        bounds: [...chart.bounds],
        attribution: chart.attribution,
      },
      ...(imagery === undefined
        ? {}
        : { [SATELLITE_SOURCE]: { type: 'raster' as const, tiles: [imagery], tileSize: 256 } }),
      ...(options.showUserReports
        ? { [REPORTS_SOURCE]: { type: 'geojson' as const, data: addresses.reports } }
        : {}),
    },
    layers: pickLayers(chartLayers(drawing), options.showLayers, options.hideLayers),
  };
}

/** The raster style of the contract's raster.json: one source, one layer. */
export function buildRasterStyle(tiles: string, chart: StyleChart): StyleSpecification {
  return {
    version: 8,
    name: 'Leadline raster',
    metadata: { 'leadline:build': chart.buildId, 'leadline:notice': 'Not for navigation' },
    sources: {
      chart: {
        type: 'raster',
        tiles: [tiles],
        tileSize: 256,
        minzoom: 0,
        maxzoom: 22,
        attribution: chart.attribution,
      },
    },
    layers: [{ id: 'chart', type: 'raster', source: 'chart' }],
  };
}
