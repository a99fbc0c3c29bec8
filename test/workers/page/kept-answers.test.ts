// The offline cache of the chart page.

import { expect, test } from 'vitest';
import { ageText } from '../../../workers/web/chart/offline/age-mark.ts';
import {
  keptAddress,
  kindOf,
  nameOf,
  tokenOf,
  withoutToken,
  withToken,
} from '../../../workers/web/chart/offline/kept-answers.ts';

const ORIGIN = 'https://charts.example';
const TOKEN = 'eyJhbGciOi.eyJzdWIi.c2ln-_x';

test.each([
  ['/', 'page'],
  ['/page/chart.js', 'page'],
  ['/sprites/0a1b/day.png', 'artwork'],
  ['/fonts/0a1b/Noto%20Sans/0-255.pbf', 'artwork'],
  ['/api/v2/tiles/enc-v2/12/1200/1500.mvt?token=x', 'chart'],
  ['/api/v2/tiles/enc-v2.json', 'chart'],
  ['/api/v1/styles/base.json?theme=dusk', 'chart'],
  ['/api/v1/user-reports?bbox=1,2,3,4', undefined],
  ['/api/v1/user-reports/bathymetry', undefined],
  ['/api/portal/v1/styles', undefined],
  ['/api/v1/enc_query', undefined],
  ['/api/v2/tiles/data-geojson-v1/10/1/1.json', undefined],
  ['/docs', undefined],
  ['/api/v1/styles/base.json/..%2f', undefined],
] as const)('of %s the chart page keeps: %s', (path, kind) => {
  expect(kindOf('GET', ORIGIN + path, ORIGIN)).toBe(kind);
  expect(kindOf('POST', ORIGIN + path, ORIGIN)).toBeUndefined();
  expect(kindOf('GET', `https://elsewhere.example${path}`, ORIGIN)).toBeUndefined();
});

test('the address of a cached response has the token neither in its query nor in its name', async () => {
  const url = `${ORIGIN}/api/v1/styles/base.json?theme=dusk&token=${TOKEN}`;
  expect(tokenOf(url, null)).toBe(TOKEN);
  expect(tokenOf(url, 'Bearer other')).toBe('other');
  const name = await nameOf(TOKEN);
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(await nameOf(`${TOKEN}x`)).not.toBe(name);
  expect(keptAddress(url, name)).toBe(`${ORIGIN}/kept/${name}/api/v1/styles/base.json?theme=dusk`);
});

test('a kept style document names its token again when it is shown, and not before', () => {
  const document = JSON.stringify({ tiles: [`${ORIGIN}/{z}/{x}/{y}?token=${TOKEN}`] });
  const stored = withoutToken(document, TOKEN);
  expect(stored).not.toContain(TOKEN);
  expect(withToken(stored, TOKEN)).toBe(document);
  expect(withoutToken(document, '')).toBe(document);
});

test.each([
  [59_000, 'less than a minute ago'],
  [61_000, '1 minute ago'],
  [3_600_000 * 23.9, '23 hours ago'],
  [86_400_000 * 2.5, '2 days ago'],
])('an age of %i ms reads: %s', (age, text) => {
  expect(ageText(age)).toBe(text);
});
