// The documents keep to what MapLibre Native draws (Android, iOS, and Flutter over both), as the table of
// support in MapLibre's own specification says.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { buildRasterStyle } from '../../../shared/style/document/build-style.ts';
import { THEMES } from '../../../shared/style/options.ts';
import { isNewer, nativeNeeds } from '../../support/native-support.ts';
import { ADDRESSES, CHART, styleWith } from '../../support/written-style.ts';

const GUIDE = readFileSync(
  resolve(import.meta.dirname, '../../examples/maplibre-native.md'),
  'utf8',
);

test.each([
  ...THEMES.map((theme) => [`theme ${theme}`, { theme }] as const),
  ['soundings in feet', { depthUnits: 'feet' }] as const,
  ['imagery below', { showSatellite: true, maskLandAreas: true }] as const,
  ['reports', { showUserReports: true }] as const,
])(
  '%s: MapLibre Native has all that the style asks for, in the versions that the guide names',
  (_, options) => {
    const style = styleWith(options);
    expect(validateStyleMin(style)).toEqual([]);
    const { lacks, versions } = nativeNeeds(style);
    expect(lacks).toEqual([]);
    const [, android, ios] = /Android ([\d.]+), iOS ([\d.]+)/.exec(GUIDE)!;
    expect(isNewer(versions.android, android!), versions.android).toBe(false);
    expect(isNewer(versions.ios, ios!), versions.ios).toBe(false);
  },
);

test('MapLibre Native has all that the style of pictures asks for', () => {
  expect(nativeNeeds(buildRasterStyle(ADDRESSES.tiles, CHART)).lacks).toEqual([]);
});

test('what MapLibre Native lacks is found: an expression, a part of the document', () => {
  const style = styleWith({});
  const layers = style.layers.map((layer) =>
    layer.id === 'background'
      ? { ...layer, paint: { 'background-color': ['feature-state', 'color'] } }
      : layer,
  ) as typeof style.layers;
  expect(nativeNeeds({ ...style, layers }).lacks).toContain(
    'android: ["feature-state"] (basic functionality)',
  );
  expect(nativeNeeds({ ...style, projection: { type: 'globe' } }).lacks).toContain(
    'ios: projection (basic functionality)',
  );
});
