// The preview of a style with unsaved choices, made from the displayed document.

import type { StyleSpecification } from 'maplibre-gl';
import { expect, test } from 'vitest';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS } from '../../../shared/style/options.ts';
import { previewStyle } from '../../../workers/web/chart/style-preview.ts';

const shown = buildStyle({
  options: { ...DEFAULT_OPTIONS, showSatellite: true, showCrowdDepth: 'depths' },
  addresses: {
    tiles: 'https://charts.example/{z}/{x}/{y}.mvt',
    sprite: 'https://charts.example/day',
    glyphs: 'https://charts.example/{fontstack}/{range}.pbf',
    satellite: {
      template: 'https://charts.example/imagery/{z}/{x}/{y}.jpg',
      maxZoom: 3,
      attribution: 'Made by X',
    },
    crowd: {
      template: 'https://charts.example/crowd/{z}/{x}/{y}.mvt',
      bounds: [-20, -30, -19, -29],
      attribution: 'Boats',
    },
  },
  chart: { bounds: [-180, -85, 180, 85], attribution: 'Not for navigation', buildId: 'b1' },
}) as StyleSpecification;

test('a preview keeps the sources of the displayed document', () => {
  const preview = previewStyle(shown, { showSatellite: true, showCrowdDepth: 'depths' });
  expect(Object.keys(shown.sources).sort()).toEqual(['chart', 'crowdDepth', 'satellite']);
  expect(preview!.sources).toEqual(shown.sources);
  expect(preview!.layers.map(({ id }) => id)).toContain('satellite');
  expect(previewStyle(shown, {})!.sources['satellite']).toBeUndefined();
});
