// Numbers, URLs and fonts in a style's parameters, in the forms that programs write.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSavedStyle } from '../../../shared/contract/saved-style.ts';
import {
  styleCacheKey,
  styleOptions,
  styleQuerySchema,
} from '../../../shared/contract/style-params.ts';

const SEED = 20_261_123;

const read = (name: string, value: string) => {
  const parsed = styleQuerySchema.safeParse({ [name]: value });
  return parsed.success ? (parsed.data as Record<string, unknown>)[name] : 'refused';
};
const isSaved = (name: string, value: unknown) =>
  'style' in readSavedStyle({ name: 'x', parameters: { settings: { [name]: value } } });

describe('depthLimit', () => {
  test.each([
    ['1.8288000000000002', 1.8288000000000002],
    ['.5', 0.5],
    ['5.', 5],
    ['1e1', 10],
    ['1E+1', 10],
    ['250e-1', 25],
    ['+3', 3],
    [' 3', 3],
    ['-.25', -0.25],
    ['007', 7],
    ['-0', 0],
    ['0.000000000000001', 1e-15],
    ['12000', 12_000],
    ['-20', -20],
  ])('accepts %s as %d', (text, value) => {
    expect(read('depthLimit', text)).toBe(value);
    expect(isSaved('depthLimit', value)).toBe(true);
  });

  test.each([
    '.',
    'e1',
    '1e',
    '0x10',
    '1,5',
    '1_0',
    'NaN',
    'Infinity',
    '1e999',
    '3m',
    '--3',
    '1 0',
  ])('rejects %s', (text) => {
    expect(read('depthLimit', text)).toBe('refused');
  });

  test('accepts every number in range as a program writes it', () => {
    fc.assert(
      fc.property(fc.double({ min: -20, max: 12_000, noNaN: true }), (value) => {
        for (const text of [String(value), value.toExponential()]) {
          expect(read('depthLimit', text)).toBe(value || 0);
        }
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  test('gives one document however the number is written', () => {
    const key = (depthLimit: string) =>
      styleCacheKey(styleOptions(styleQuerySchema.parse({ depthLimit })));
    expect(new Set(['5', '5.', '5.0', '5e0', '+5', '.5e1'].map(key)).size).toBe(1);
  });
});

describe.each(['hideLayers', 'showLayers'])('%s', (name) => {
  test('accepts ids with any characters, and ignores empty parts', () => {
    expect(read(name, 'a.b:c/d, ,ünï<1>,,')).toEqual(['a.b:c/d', 'ünï<1>']);
    expect(isSaved(name, ['a.b:c/d'])).toBe(true);
  });

  test('accepts at most 400 ids', () => {
    expect(read(name, 'a,'.repeat(400))).toHaveLength(400);
    expect(read(name, 'a,'.repeat(401))).toBe('refused');
  });
});

test('showNoData is true by default, also over imagery', () => {
  const key = (query: object) => styleCacheKey(styleOptions(styleQuerySchema.parse(query)));
  for (const query of [{}, { showSatellite: 'true' }])
    expect(key({ ...query, showNoData: 'true' })).toBe(key(query));
});

describe('URL templates', () => {
  const IMAGERY = [
    'https://a.example/{z}/{x}/{y}.png',
    'http://a.example/{z}/{x}/{y}.png',
    'HTTP://A.example:8080/{z}/{x}/{y}{ratio}.png?key=a|b',
    'https://{s}.tile.example/{z}/{x}/{y}.png',
    'https://tiles-{s}.example/{prefix}/{z}/{x}/{y}.png',
    'https://a.example/{quadkey}.jpeg?g=1',
    'http://a.example/wms?bbox={bbox-epsg-3857}&width=256',
    'http://[::1]:9/{z}/{x}/{y}',
  ];
  const GLYPHS = [
    'https://a.example/{fontstack}/{range}.pbf',
    'http://a.example/{fontstack}/{range}.pbf?k=1',
    'asset://fonts/{fontstack}/{range}.pbf',
    'file:///data/fonts/{fontstack}/{range}.pbf',
  ];
  const NEVER = [
    'file:////a.example/{z}/{x}/{y}{fontstack}{range}',
    'ftp://a.example/{z}/{x}/{y}{fontstack}{range}',
    'javascript:alert(1)//{z}{x}{y}{fontstack}{range}',
    'data:text/plain,{z}{x}{y}{fontstack}{range}',
    '//a.example/{z}/{x}/{y}/{fontstack}/{range}',
    'https://u:p@a.example/{z}/{x}/{y}/{fontstack}/{range}',
    'https://a.example/{z}/{x}/{y}/{fontstack}/{range}#f',
    'https://a.example/{z}/{x}/{y}/{fontstack}/{range}/{token}',
    'https://a.example/{z}/{x}/{y}/{fontstack}/{range} ',
    'https://a.example:70000/{z}/{x}/{y}/{fontstack}/{range}',
    `https://a.example/{z}/{x}/{y}/{fontstack}/{range}${'x'.repeat(2048)}`,
    'https://a.example/{z}/{x}',
    'https://a.example/{fontstack}',
    'https://a.example/%7Bz%7D/%7Bx%7D/%7By%7D',
  ];

  test.each(IMAGERY)('are accepted as satelliteTileUrl: %s', (value) => {
    expect(read('satelliteTileUrl', value)).toBe(value);
    expect(isSaved('satelliteTileUrl', value)).toBe(true);
    // With values in place of the variables it is a valid URL.
    expect(URL.canParse(value.replaceAll(/\{[^}]+\}/g, '1'))).toBe(true);
  });

  test.each(GLYPHS)('are accepted as glyphs: %s', (value) => {
    expect(read('glyphs', value)).toBe(value);
    expect(isSaved('glyphs', value)).toBe(true);
  });

  test.each(NEVER)('are rejected as both: row %#', (value) => {
    for (const name of ['satelliteTileUrl', 'glyphs']) {
      expect(read(name, value), name).toBe('refused');
      expect(isSaved(name, value), name).toBe(false);
    }
  });
});

describe('font', () => {
  test.each(['Own Sans', 'Own Sans Bold,Own Sans', 'a, b , c', 'Été', 'x,'])(
    'accepts %s',
    (value) => {
      expect(read('font', value)).toBe(value);
      expect(isSaved('font', value)).toBe(true);
    },
  );

  test.each([',', ' , ', '<b>', 'a,<b>', 'a/b', 'a,b,c,d,e,f,g,h,i', 'x'.repeat(65)])(
    'rejects %s',
    (value) => {
      expect(read('font', value)).toBe('refused');
      expect(isSaved('font', value)).toBe(false);
    },
  );
});
