// Builds a style document with unsaved colours, with the builder that the service uses and the URLs of
// the current document.

import type { StyleSpecification } from 'maplibre-gl';
import { WORLD_BOUNDS } from '../../../shared/chart/bounds.ts';
import { daysAt } from '../../../shared/chart/in-force.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { CROWD_SOURCE } from '../../../shared/style/layers/crowd.ts';
import { SATELLITE_SOURCE } from '../../../shared/style/layers/ground.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../../shared/style/options.ts';

/** Returns the document with these options, or `undefined` if `shown` is not from the service. */
export function previewStyle(
  shown: StyleSpecification,
  options: Partial<StyleOptions>,
): StyleSpecification | undefined {
  const { chart } = shown.sources;
  if (chart?.type !== 'vector' || chart.tiles === undefined) return undefined;
  const { sprite, glyphs, metadata } = shown;
  if (typeof sprite !== 'string' || glyphs === undefined) return undefined;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  const styleDocument = buildStyle({
    days: daysAt(Date.now()),
    // The chart also requests `live`, so that it can change options without a new document.
    options: { ...DEFAULT_OPTIONS, ...Object.fromEntries(given), live: true },
    addresses: {
      tiles: chart.tiles[0] ?? '',
      sprite,
      glyphs,
      ...crowdOf(shown),
      ...imageryOf(shown),
    },
    chart: {
      bounds: chart.bounds ?? WORLD_BOUNDS,
      attribution: chart.attribution ?? '',
      buildId: String((metadata as Record<string, unknown> | undefined)?.['leadline:build'] ?? ''),
    },
  });
  return styleDocument as StyleSpecification;
}

/** The crowdsourced depths, if the document shows them. */
function crowdOf({ sources }: StyleSpecification) {
  const source = sources[CROWD_SOURCE];
  if (source?.type !== 'vector' || source.bounds === undefined) return {};
  const { tiles = [''], bounds, attribution = '' } = source;
  return { crowd: { template: tiles[0]!, bounds, attribution } };
}

/** The imagery, if the document shows it. */
function imageryOf({ sources }: StyleSpecification) {
  const source = sources[SATELLITE_SOURCE];
  if (source?.type !== 'raster' || source.tiles === undefined) return {};
  const { tiles, maxzoom, attribution } = source;
  return {
    satellite: {
      template: tiles[0]!,
      ...(maxzoom === undefined ? {} : { maxZoom: maxzoom }),
      ...(attribution === undefined ? {} : { attribution }),
    },
  };
}
