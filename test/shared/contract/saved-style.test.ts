// Every saved style gives a valid document; invalid input is rejected with the path of its fault.

import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { faultOfJson } from '../../../shared/contract/plain-json.ts';
import {
  presentStyle,
  readSavedStyle,
  readStyleChange,
  savedOptions,
  savedStyleSchema,
} from '../../../shared/contract/saved-style.ts';
import {
  styleCacheKey,
  styleOptions,
  styleQuerySchema,
} from '../../../shared/contract/style-params.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import {
  BASE_THEMES,
  DEPTH_UNITS,
  ICON_SETS,
  STYLE_PARAMETERS,
  type StyleOptions,
  symbolTheme,
  TEXT_GROUPS,
  THEMES,
} from '../../../shared/style/options.ts';
import { COLOR_TOKENS } from '../../../shared/style/palette.ts';
import { isLong } from '../../support/long-run.ts';

const SEED = 20_261_121;
const RUNS = Number(process.env['LEADLINE_FUZZ_RUNS'] ?? 1) * (isLong ? 30 : 15);

const MAX_VALIDATED = 5;

const documentOf = (options: StyleOptions) =>
  buildStyle({
    options,
    addresses: {
      tiles: 'https://charts.example/{z}/{x}/{y}.mvt',
      sprite: 'https://charts.example/sprite',
      glyphs: 'https://charts.example/{fontstack}/{range}.pbf',
      reports: 'https://charts.example/reports',
    },
    chart: { bounds: [-180, -85, 180, 85], attribution: 'Not for navigation', buildId: 'b1' },
  });

/** The stored style as a database returns it. */
const kept = (style: object) =>
  savedStyleSchema.parse(
    JSON.parse(
      JSON.stringify({
        ...style,
        id: '11111111-2222-4333-8444-555555555555',
        createdAt: 1,
        updatedAt: 1,
      }),
    ),
  );

const word = fc.string({ maxLength: 12 });
const layerId = fc.constantFrom('SOUNDG-label', 'COALNE-line', 'background', 'no_such-layer');
const digit = fc.constantFrom(...'0123456789abcdefABCDEF');
const hex = fc
  .oneof(
    fc.array(digit, { minLength: 6, maxLength: 6 }),
    fc.array(digit, { minLength: 8, maxLength: 8 }),
  )
  .map((digits) => `#${digits.join('')}`);
const url = (path: string) =>
  fc.constantFrom(`https://a.example/${path}`, `http://a.example:8080/${path}?k=1`);
const yesNo = fc.option(fc.boolean());
const settings = fc.record(
  {
    depthLimit: fc.option(fc.double({ min: -20, max: 12_000, noNaN: true })),
    depthUnits: fc.constantFrom(...DEPTH_UNITS),
    roundOffSoundings: yesNo,
    showLightSectors: yesNo,
    showEncBoundaries: yesNo,
    showMaritimeBoundaries: fc.constantFrom(
      ...STYLE_PARAMETERS.showMaritimeBoundaries.values,
      false,
    ),
    showPlaceNames: yesNo,
    showOverscale: yesNo,
    showNoData: yesNo,
    hatchNoData: yesNo,
    showUserReports: yesNo,
    showSatellite: yesNo,
    maskLandAreas: yesNo,
    satelliteTileUrl: url('{z}/{x}/{y}.png'),
    hideLayers: fc.array(layerId, { maxLength: 6 }),
    showLayers: fc.array(layerId, { maxLength: 6 }),
    glyphs: url('{fontstack}/{range}.pbf'),
    font: fc.constantFrom('Own Sans', 'get', 'Été', 'literal', 'a.b-c_d', 'A, B,C'),
    symbols: fc.constantFrom(...STYLE_PARAMETERS.symbols.values),
    boundaries: fc.constantFrom(...STYLE_PARAMETERS.boundaries.values),
    topmarks: yesNo,
    lightText: yesNo,
    isolatedDangersInShallow: yesNo,
    fullNames: yesNo,
    showDataQuality: yesNo,
    shallowDepth: fc.double({ min: 0, max: 12_000, noNaN: true }),
    deepDepth: fc.double({ min: 0, max: 12_000, noNaN: true }),
    textGroups: fc.subarray([...TEXT_GROUPS]),
    iconSet: fc.constantFrom(...ICON_SETS, 'theirs'),
    soundingOpacity: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: [] },
);
const savedStyle = fc.record(
  {
    name: fc.stringMatching(/^[\p{L}\p{N} _-]{0,40}[\p{L}\p{N}]$/u),
    // Valid values are more frequent than those that a saved style may not have.
    baseTheme: fc.constantFrom(...BASE_THEMES, ...BASE_THEMES, ...THEMES, null),
    parameters: fc.record(
      {
        colors: fc.dictionary(fc.constantFrom(...COLOR_TOKENS, 'theirs', 'constructor'), hex, {
          maxKeys: 30,
        }),
        settings,
        extra: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['name'] },
);

test(`accepted styles give valid documents with exactly their colours and settings (seed ${SEED})`, () => {
  let accepted = 0;
  fc.assert(
    fc.property(savedStyle, (body) => {
      const read = readSavedStyle(JSON.parse(JSON.stringify(body)));
      if (!('style' in read)) return;
      accepted++;
      const options = styleOptions(styleQuerySchema.parse({}), savedOptions(kept(read.style)));
      // Validation takes most of the time of this test.
      if (isLong || accepted <= MAX_VALIDATED) {
        expect(validateStyleMin(documentOf(options) as never).map(String)).toEqual([]);
      }
      expect(options.theme).toBe(body.baseTheme ?? 'day');
      const given = body.parameters?.settings ?? {};
      for (const [name, value] of Object.entries(given)) {
        if (value === null || value === 'theirs') continue;
        const expected = value === false && name === 'showMaritimeBoundaries' ? 'false' : value;
        expect(JSON.stringify(options[name as keyof StyleOptions])).toBe(JSON.stringify(expected));
      }
      for (const token of COLOR_TOKENS) {
        const wished = body.parameters?.colors ?? {};
        const own = Object.hasOwn(wished, token) ? wished[token]?.toLowerCase() : undefined;
        expect(options.colors[token]).toBe(own);
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS * 0.8);
});

test('savedOptions does not depend on the order of keys', () => {
  const keyOf = (colors: object, given: object) => {
    const read = readSavedStyle({ name: 'x', parameters: { colors, settings: given } });
    if (!('style' in read)) throw new Error(JSON.stringify(read));
    return styleCacheKey(styleOptions({} as never, savedOptions(kept(read.style))));
  };
  expect(keyOf({ DEPVS: '#111111', LANDA: '#222222' }, { depthLimit: 4, showNoData: false })).toBe(
    keyOf({ LANDA: '#222222', DEPVS: '#111111' }, { showNoData: false, depthLimit: 4 }),
  );
});

test('each setting of the query overrides that of the saved style', () => {
  const read = readSavedStyle({
    name: 'x',
    baseTheme: 'dusk',
    parameters: { settings: { depthLimit: 9, depthUnits: 'feet', hideLayers: ['a'] } },
  });
  if (!('style' in read)) throw new Error(JSON.stringify(read.faults));
  const query = styleQuerySchema.parse({ depthLimit: '2', hideLayers: 'b', theme: 'night' });
  expect(styleOptions(query, savedOptions(kept(read.style)))).toMatchObject({
    theme: 'night',
    depthLimit: 2,
    depthUnits: 'feet',
    hideLayers: ['b'],
  });
});

test(`readSavedStyle accepts any JSON or rejects it with short reasons, and never throws (seed ${SEED})`, () => {
  let refused = 0;
  const odd = fc.oneof(
    fc.dictionary(word, fc.jsonValue()),
    fc.record({ name: fc.jsonValue(), baseTheme: fc.jsonValue(), parameters: fc.jsonValue() }),
    fc.record({
      name: word,
      parameters: fc.record({
        colors: fc.dictionary(word, fc.oneof(hex, fc.jsonValue())),
        settings: fc.dictionary(
          fc.constantFrom('depthLimit', 'DepthLimit', 'theme', 'font', 'hideLayers', '__proto__'),
          fc.jsonValue(),
        ),
      }),
    }),
  );
  fc.assert(
    fc.property(odd, (body) => {
      const read = readSavedStyle(JSON.parse(JSON.stringify(body)));
      if ('style' in read) {
        const options = styleOptions(styleQuerySchema.parse({}), savedOptions(kept(read.style)));
        expect(validateStyleMin(documentOf(options) as never).map(String)).toEqual([]);
        return;
      }
      refused++;
      expect(read.faults.length).toBeGreaterThan(0);
      for (const { path, message } of read.faults) {
        expect(path.length + message.length).toBeLessThan(400);
      }
    }),
    { seed: SEED, numRuns: 10 * RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('faultOfJson reports nesting that is too deep and characters that a database cannot store', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect(faultOfJson(nested(8), 8)).toBeUndefined();
  expect(faultOfJson(nested(9), 8)).toBe('is nested deeper than 8');
  expect(faultOfJson(nested(100_000))).toBe('is nested deeper than 32');
  for (const bad of ['\u0000', '\ud800', 'a\udc00b']) {
    expect(faultOfJson({ a: [bad] })).toBe(
      'contains NUL or unpaired surrogates, which are not allowed',
    );
    expect(faultOfJson({ [bad]: 1 })).toBe(
      'contains NUL or unpaired surrogates, which are not allowed',
    );
  }
  expect(faultOfJson({ a: ['💥', 'é', '\n'], b: null, c: -0 })).toBeUndefined();
  expect(faultOfJson(JSON.parse('{"a":1e400}'))).toBe('contains a number that is too large');
});

test.each([
  [{ parameters: { Settings: { depthLimit: 9 } } }, 'parameters.Settings'],
  [{ parameters: { COLORS: { DEPVS: '#ffffff' } } }, 'parameters.COLORS'],
  [{ Parameters: { settings: { depthLimit: 9 } } }, 'Parameters'],
  [{ basetheme: 'night' }, 'basetheme'],
  [{ parameters: { settings: { depthlimit: 9 } } }, 'parameters.settings.depthlimit'],
])('readSavedStyle rejects a key whose capitals are wrong: %j', (body, path) => {
  const read = readSavedStyle({ name: 'x', ...body });
  expect('faults' in read && read.faults.map((fault) => fault.path)).toEqual([path]);
});

test('readSavedStyle limits the size as the database prints it, with all digits of numbers', () => {
  const pathsOf = (number: string, count: number) => {
    const list = `[${Array(count).fill(number)}]`;
    const read = readSavedStyle({
      name: 'x',
      ...JSON.parse(`{"parameters":{"theirs":${list}}}`),
    });
    return 'faults' in read ? read.faults.map(({ path }) => path) : [];
  };
  expect(pathsOf('1e308', 20)).toEqual([]);
  expect(pathsOf('1e308', 1000)).toEqual(['parameters']);
  expect(pathsOf('-1e-299', 1000)).toEqual(['parameters']);
  expect(pathsOf('"1e308"', 1000)).toEqual([]);
});

describe('styles of VectorCharts', () => {
  const optionsOf = (query: Record<string, string>, settings: object) => {
    const read = readSavedStyle({ name: 'x', theme: 'night', parameters: { settings } });
    if (!('style' in read)) throw new Error(JSON.stringify(read.faults));
    return styleOptions(styleQuerySchema.parse(query), savedOptions(kept(read.style)));
  };

  it('have an effect with theme, iconSet and soundingOpacity', () => {
    const options = optionsOf({}, { iconSet: 'enc-dusk', soundingOpacity: 0.25 });
    expect([options.theme, symbolTheme(options)]).toEqual(['night', 'dusk']);
    const layers = (theirs: StyleOptions) =>
      documentOf(theirs).layers.flatMap(({ id, paint }) => (id === 'SOUNDG-label' ? [paint] : []));
    expect(layers(options)).not.toEqual(layers({ ...options, soundingOpacity: 1 }));
    expect(symbolTheme(optionsOf({}, { iconSet: 'theirs' }))).toBe('night');
  });

  it('keep their symbols unless the request sets another theme', () => {
    expect(symbolTheme(optionsOf({ theme: 'dusk' }, { iconSet: 'enc-day' }))).toBe('dusk');
    expect(symbolTheme(optionsOf({ theme: 'night' }, { iconSet: 'enc-day' }))).toBe('day');
    expect(symbolTheme(optionsOf({ theme: 'day', iconSet: 'enc-dusk' }, {}))).toBe('dusk');
  });

  it('are changed in the fields that a request contains', () => {
    expect(readStyleChange({})).toEqual({ style: {}, ignored: [] });
    expect(readStyleChange({ name: null, theme: 'dusk', id: 1 })).toEqual({
      style: { baseTheme: 'dusk' },
      ignored: [],
    });
    expect(readStyleChange({ parameters: { theirs: 1 } })).toEqual({
      style: { parameters: { theirs: 1, colors: {}, settings: {} } },
      ignored: [],
    });
    expect(readStyleChange({ name: '' })).toMatchObject({ faults: [{ path: 'name' }] });
  });
});

describe('input without effect', () => {
  it.each([
    [{ theme: 'night', baseTheme: 'day' }, 'theme', 'differs from baseTheme'],
    [{ theme: 'yacht' }, 'theme', 'must be one of'],
    [{ Theme: 'night' }, 'Theme', 'must be spelt theme'],
    [{ parameters: { settings: { theme: 'night' } } }, 'parameters.settings.theme', 'baseTheme'],
    [{ basetheme: 'night' }, 'basetheme', 'must be spelt baseTheme'],
    [
      { parameters: { colors: { depvs: '#102030' } } },
      'parameters.colors.depvs',
      'must be spelt DEPVS',
    ],
  ])('is rejected: %j', (more, path, message) => {
    const read = readSavedStyle({ name: 'x', ...more });
    if (!('faults' in read)) throw new Error('The input was accepted.');
    expect(read.faults).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it('is listed in the response, whether it is stored or not', () => {
    const read = readSavedStyle({
      name: 'x',
      id: 'y',
      brand: 1,
      parameters: {
        version: 3,
        colors: { DEPVS: '#102030', sea: '#000000' },
        settings: { depthLimit: 4, soundingOpacity: 0.5, iconSet: 'large', glow: 2 },
      },
    });
    if (!('style' in read)) throw new Error(JSON.stringify(read.faults));
    const stored = kept(read.style);
    const ofStored = [
      'parameters.version',
      'parameters.colors.sea',
      'parameters.settings.iconSet',
      'parameters.settings.glow',
    ];
    expect(presentStyle(stored, read.ignored)).toEqual({
      ...stored,
      ignored: ['brand', ...ofStored],
    });
    expect(presentStyle(stored)).toEqual({ ...stored, ignored: ofStored });
  });

  it('is not listed if there is no such input', () => {
    const read = readSavedStyle({ name: 'x', parameters: { settings: { depthLimit: 4 } } });
    if (!('style' in read)) throw new Error(JSON.stringify(read.faults));
    const stored = kept(read.style);
    expect(presentStyle(stored, read.ignored)).toEqual(stored);
  });
});
