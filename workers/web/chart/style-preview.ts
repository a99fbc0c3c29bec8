// A style document with colours that were not saved yet, made by the same builder as the service's,
// from the addresses of the document on the screen.

import type { StyleSpecification } from 'maplibre-gl';
import { daysAt } from '../../../shared/chart/in-force.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, type StyleOptions } from '../../../shared/style/options.ts';

/** The document as it would be with these options; undefined for one that is not the service's. */
export function previewStyle(
  shown: StyleSpecification,
  options: Partial<StyleOptions>,
): StyleSpecification | undefined {
  const { chart } = shown.sources;
  if (chart?.type !== 'vector' || chart.tiles === undefined) return undefined;
  const { sprite, glyphs, metadata } = shown;
  if (typeof sprite !== 'string' || glyphs === undefined) return undefined;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  const made = buildStyle({
    days: daysAt(Date.now()),
    // As the chart asks for it: what can be changed without a document goes on being changed so.
    options: { ...DEFAULT_OPTIONS, ...Object.fromEntries(given), live: true },
    addresses: { tiles: chart.tiles[0] ?? '', sprite, glyphs, reports: '' },
    chart: {
      bounds: chart.bounds ?? [-180, -85.0511, 180, 85.0511],
      attribution: chart.attribution ?? '',
      buildId: String((metadata as Record<string, unknown> | undefined)?.['leadline:build'] ?? ''),
    },
  });
  return made as StyleSpecification;
}
