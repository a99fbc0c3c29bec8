// The style documents in a region, by the validator of the style specification: everything that they
// name is in the file.

import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import type { GeoBounds } from '../../../shared/chart/bounds.ts';
import { lastZoom, REGION_ADDRESS } from '../../../shared/region/region-addresses.ts';
import { regionStyles } from '../../../shared/region/region-styles.ts';

const DATASETS = [
  {
    id: 'enc',
    shortDescription: 'Some charts',
    longDescription: 'Charts of somewhere.',
    dataSourcedAt: 0,
    dataProcessedAt: 0,
  },
];

const stylesOf = (bounds: GeoBounds, maxZoom: number) =>
  regionStyles({ bounds, maxZoom }, DATASETS, 15).map(
    ([name, text]) => [name, text, JSON.parse(text)] as const,
  );

const ANNAPOLIS = stylesOf([-76.5, 38.9, -76.3, 39], 15);
const SMALL = stylesOf([1, 2, 3, 4], 9);

test('regionStyles are valid and refer to nothing outside the file', () => {
  expect(ANNAPOLIS.map(([name]) => name)).toEqual([
    'styles/day.json',
    'styles/day-live.json',
    'styles/dusk.json',
    'styles/dusk-live.json',
    'styles/night.json',
    'styles/night-live.json',
  ]);
  for (const [name, text, style] of ANNAPOLIS) {
    expect([name, validateStyleMin(style)]).toEqual([name, []]);
    expect([name, text.match(/https?:\/\/[^"]*/g)]).toEqual([name, null]);
    expect(Object.keys(style.sources)).toEqual(['chart']);
    expect(style.sprite.startsWith(REGION_ADDRESS)).toBe(true);
    expect(style.glyphs.startsWith(REGION_ADDRESS)).toBe(true);
    const noData = style.layers.find(({ id }: { id: string }) => id === 'nodata');
    expect(noData).toMatchObject({ type: 'background', layout: { visibility: 'visible' } });
    expect('state' in style).toBe(name.endsWith('-live.json'));
    expect(style.sources.chart.attribution).toBe('Some charts · Not for navigation');
  }
});

test('the source of regionStyles has the bounds and zooms of the region', () => {
  const chartOf = (styles: typeof SMALL) => styles[0]![2].sources.chart;
  expect(chartOf(SMALL)).toMatchObject({ bounds: [1, 2, 3, 4], maxzoom: 9 });
  expect(chartOf(ANNAPOLIS)).toMatchObject({ maxzoom: 16 });
  // A source cannot have a box across 180°.
  expect(chartOf(stylesOf([170, 2, -170, 4], 9))).toMatchObject({ bounds: [-180, 2, 180, 4] });
  expect([lastZoom(8, 15), lastZoom(15, 15), lastZoom(13, 13)]).toEqual([8, 16, 16]);
  // Berthing charts have stored tiles of zoom 16.
  expect(lastZoom(15, 16)).toBe(15);
});

test('regionStyles do not depend on the build', () => {
  expect(stylesOf([1, 2, 3, 4], 9)).toEqual(SMALL);
  expect(SMALL[0]![2].metadata['leadline:build']).toBe('');
});
