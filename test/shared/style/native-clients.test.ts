// The style documents use only features that MapLibre Native supports (Android, iOS, and Flutter on both),
// according to the support table of the MapLibre specification.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { buildRasterStyle } from '../../../shared/style/document/build-style.ts';
import { STYLE_TEXTS } from '../../../shared/style/option-texts.ts';
import { THEMES } from '../../../shared/style/options.ts';
import { isNewer, nativeNeeds } from '../../support/native-support.ts';
import { ADDRESSES, CHART, styleWith } from '../../support/written-style.ts';

const textOf = (path: string) =>
  readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
const GUIDE = textOf('workers/web/docs/guides/maplibre-native.md');

test.each([
  ...THEMES.map((theme) => [`theme ${theme}`, { theme }] as const),
  ['soundings in feet', { depthUnits: 'feet' }] as const,
  ['imagery', { showSatellite: true, maskLandAreas: true }] as const,
  ['reports', { showUserReports: true }] as const,
])(
  'with %s, the versions of MapLibre Native in the guide support all features of the style',
  (_, options) => {
    const style = styleWith(options);
    expect(validateStyleMin(style)).toEqual([]);
    const { lacks, versions } = nativeNeeds(style);
    expect(lacks).toEqual([]);
    const [, android, ios] = /([\d.]+) for Android, ([\d.]+) for iOS/.exec(GUIDE)!;
    expect(isNewer(versions.android, android!), versions.android).toBe(false);
    expect(isNewer(versions.ios, ios!), versions.ios).toBe(false);
  },
);

test('with live, the documented versions of MapLibre are those that the style needs', () => {
  const { lacks, versions } = nativeNeeds(styleWith({ live: true }));
  expect(lacks).toEqual([]);
  const { js, android, ios } = versions;
  expect(GUIDE).toContain(
    `they need at least MapLibre Native ${android} for Android, ${ios} for iOS.`,
  );
  const [all, browser] = [
    `GL JS ${js}, or MapLibre Native ${android} on Android or ${ios} on iOS`,
    `GL JS ${js}`,
  ];
  expect(STYLE_TEXTS.live.description).toContain(all);
  expect(textOf('workers/web/docs/guides/styles-and-parameters.md')).toContain(all);
  expect(textOf('shared/contract/README.md')).toContain(all);
  expect(textOf('workers/web/docs/guides/react.md')).toContain(browser);
  expect(textOf('shared/region/README.md')).toContain(browser);
});

test.each([
  ...([{}, { live: true }, { depthUnits: 'fathoms' }, { roundOffSoundings: true }] as const),
])('with %j, no expression counts the characters of a text beyond ASCII', (options) => {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    const [operator] = Array.isArray(value) ? value : [];
    if (['slice', 'length', 'index-of'].includes(operator) && /[^ -~]/.test(text)) found.push(text);
    for (const part of Object.values(value)) collect(part);
  };
  collect(styleWith(options).layers);
  expect(found).toEqual([]);
});

test('MapLibre Native supports all features of the raster style', () => {
  expect(nativeNeeds(buildRasterStyle(ADDRESSES.tiles, CHART)).lacks).toEqual([]);
});

test('nativeNeeds finds unsupported expressions and properties', () => {
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
