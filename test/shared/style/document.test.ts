// The style document: valid for all parameters, in agreement with the tile schema, and with the effect of each
// parameter that the contract defines.

import {
  createExpression,
  type LayerSpecification,
  type StyleSpecification,
  validateStyleMin,
} from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { SOURCE_LAYERS } from '../../../shared/chart/tile-schema.ts';
import { compileStyle } from '../../../shared/raster/compile-style.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import {
  DEFAULT_OPTIONS,
  DEPTH_UNITS,
  STYLE_PARAMETERS,
  type StyleOptions,
  THEMES,
} from '../../../shared/style/options.ts';
import { paletteFor } from '../../../shared/style/palette.ts';
import { isLong } from '../../support/long-run.ts';
import { allSymbolNames } from '../../support/symbol-names.ts';
import { ADDRESSES, CHART, styleWith } from '../../support/written-style.ts';

const IMAGERY = 'https://imagery.example/{z}/{x}/{y}.jpg';

const layerOf = (style: StyleSpecification, id: string): LayerSpecification => {
  const found = style.layers.find((layer) => layer.id === id);
  expect(found, `layer ${id}`).toBeDefined();
  return found!;
};
const idsOf = (style: StyleSpecification) => style.layers.map(({ id }) => id);
const isVisible = (style: StyleSpecification, id: string) =>
  style.layers.some((layer) => layer.id === id && layer.layout?.visibility !== 'none');

/** The value of an expression of the document for a feature. */
function evaluate(value: unknown, properties: Record<string, unknown>, zoom = 14): unknown {
  const compiled = createExpression(value, 'layers[0].layout.value');
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join('; '));
  return compiled.value.evaluate({ zoom } as never, { type: 1, properties } as never);
}

const paintOf = (style: StyleSpecification, id: string, name: string) =>
  (layerOf(style, id).paint as Record<string, unknown>)[name];
const layoutOf = (style: StyleSpecification, id: string, name: string) =>
  (layerOf(style, id).layout as Record<string, unknown>)[name];

describe('validity', () => {
  test(`gives valid layers for ${isLong ? 'all combinations' : 'any two values'} of options`, () => {
    const flags = [
      'roundOffSoundings',
      'showLightSectors',
      'showEncBoundaries',
      'showPlaceNames',
      'showOverscale',
      'showNoData',
      'showUserReports',
      'showSatellite',
      'maskLandAreas',
    ] as const;
    const flagsOf = (bits: number) =>
      Object.fromEntries(flags.map((flag, i) => [flag, ((bits >> i) & 1) === 1]));
    const all = 2 ** flags.length;
    // A layer depends on the theme, and on one or two other options.
    const extremes = [0, all - 1];
    const some = [...extremes, ...flags.map((_, i) => 2 ** i)];
    const variants: Partial<StyleOptions>[] = isLong
      ? DEPTH_UNITS.flatMap((depthUnits) =>
          STYLE_PARAMETERS.showMaritimeBoundaries.values.flatMap((showMaritimeBoundaries) =>
            Array.from({ length: all }, (_, bits) => ({
              depthUnits,
              showMaritimeBoundaries,
              ...flagsOf(bits),
            })),
          ),
        )
      : [
          ...some.map((bits) => ({ showMaritimeBoundaries: 'full' as const, ...flagsOf(bits) })),
          ...DEPTH_UNITS.flatMap((depthUnits) =>
            [false, true].map((roundOffSoundings) => ({
              depthUnits,
              roundOffSoundings,
              showMaritimeBoundaries: 'lines' as const,
            })),
          ),
        ];
    const distinct = new Map<string, LayerSpecification>();
    const sources = new Map<string, StyleSpecification['sources']>();
    for (const theme of THEMES) {
      const isReduced = !isLong && theme !== 'day';
      for (const variant of isReduced ? variants.slice(0, extremes.length) : variants) {
        const style = styleWith({ theme, satelliteTileUrl: IMAGERY, ...variant });
        for (const layer of style.layers) distinct.set(JSON.stringify(layer), layer);
        sources.set(JSON.stringify(style.sources), style.sources);
        expect(new Set(idsOf(style)).size).toBe(style.layers.length);
      }
    }
    const everySource = Object.assign({}, ...sources.values()) as StyleSpecification['sources'];
    const layers = [...distinct.values()].map((layer, i) => ({ ...layer, id: `${layer.id} ${i}` }));
    const whole = { ...styleWith(), sources: everySource, layers } as StyleSpecification;
    expect(validateStyleMin(whole).map(String)).toEqual([]);
    expect([...sources.values()].every((one) => 'chart' in one)).toBe(true);
  });

  test.each([-20, 0, 2, 3, 5.5, 30, 100, 12_000])(
    'accepts a safety depth of %s m',
    (depthLimit) => {
      expect(validateStyleMin(styleWith({ depthLimit })).map(String)).toEqual([]);
    },
  );
});

describe('the tile schema', () => {
  const style = styleWith({ showMaritimeBoundaries: 'full' });
  const drawn = new Set(
    style.layers.flatMap((layer) => ('source-layer' in layer ? (layer['source-layer'] ?? []) : [])),
  );

  test('contains every source layer of the style', () => {
    const known = new Set(SOURCE_LAYERS.map(({ id }) => id));
    expect([...drawn].filter((id) => !known.has(id))).toEqual([]);
  });

  test('contains no source layer that the style does not use', () => {
    expect(SOURCE_LAYERS.map(({ id }) => id).filter((id) => !drawn.has(id))).toEqual([]);
  });

  test('has areas in all layers of type fill, because a fill layer closes and fills lines', () => {
    const unfiltered = style.layers.filter(
      (layer) => layer.type === 'fill' && !JSON.stringify(layer.filter ?? '').includes('Polygon'),
    );
    const onlyAreas = new Set(
      SOURCE_LAYERS.filter(({ geometry }) => geometry.join() === 'area').map(({ id }) => id),
    );
    expect(
      unfiltered.filter(
        (layer) => !onlyAreas.has((layer as { 'source-layer': string })['source-layer']),
      ),
    ).toEqual([]);
  });
});

describe('images', () => {
  test('exist for all image names in the document', () => {
    const known = new Set<string>(allSymbolNames());
    const text = JSON.stringify(styleWith({ showUserReports: true }));
    const named = [...text.matchAll(/"(?:icon-image|fill-pattern|background-pattern)":"([^"]+)"/g)];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, name]) => name!).filter((name) => !known.has(name))).toEqual([]);
    for (const name of ['ISODGR01', 'DANGER02', 'UR-hazard', 'UR-wildlife']) {
      expect(known.has(name), name).toBe(true);
    }
  });
});

describe('each parameter', () => {
  test('theme changes the palette', () => {
    for (const theme of THEMES) {
      const style = styleWith({ theme });
      expect(paintOf(style, 'background', 'background-color')).toBe(paletteFor(theme).BGWTR);
      expect(paintOf(style, 'LNDARE-fill', 'fill-color')).toBe(paletteFor(theme).LANDA);
    }
  });

  test('depthLimit sets the colour of shallow water and the safety contour', () => {
    const day = paletteFor('day');
    const water = { d1: 5, d2: 10 };
    const shade = (depthLimit: number) =>
      String(evaluate(paintOf(styleWith({ depthLimit }), 'DEPARE-fill', 'fill-color'), water));
    expect(shade(8)).toBe(day.DEPMS);
    expect(shade(3)).toBe(day.DEPMD);
    const text = (depthLimit: number) =>
      JSON.stringify(
        (layerOf(styleWith({ depthLimit }), 'DEPEDGE-safety') as { filter: unknown }).filter,
      );
    expect(text(3)).toContain('["<",["get","s"],3]');
    expect(text(7.5)).toContain('[">=",["get","d"],7.5]');
  });

  test('depthLimit decides which dangers are isolated', () => {
    const rock = { sy: 'UWTROC03', d: 4, dd: 4, ud: 10 };
    const image = (depthLimit: number, danger: object = rock) =>
      evaluate(layoutOf(styleWith({ depthLimit }), 'UWTROC-icon', 'icon-image'), { ...danger });
    expect(image(3)).toBe('DANGER02');
    expect(image(5)).toBe('ISODGR01');
    expect(image(12)).toBe('UWTROC03');
    // A floating danger keeps its symbol, unless it represents others.
    expect(image(5, { ...rock, sy: 'FLTHAZ02' })).toBe('FLTHAZ02');
    expect(image(5, { ...rock, sy: 'FLTHAZ02', n: 2 })).toBe('ISODGR01');
  });

  test.each([
    ['meters', { dm: 52, ft: 17 }, '5₂'],
    ['meters', { dm: 50, ft: 16 }, '5'],
    ['meters', { dm: 312, ft: 102 }, '31'],
    ['feet', { dm: 52, ft: 17 }, '17'],
    ['fathoms', { dm: 52, ft: 17 }, '2₅'],
    ['fathoms', { dm: 219, ft: 72 }, '12'],
  ] as const)('depthUnits %s shows %o as %s', (depthUnits, sounding, written) => {
    const text = layoutOf(styleWith({ depthUnits }), 'SOUNDG-label', 'text-field');
    expect(evaluate(text, sounding)).toBe(written);
  });

  test.each([
    ['showLightSectors', 'LIGHTS_SECTOR-icon'],
    ['showEncBoundaries', 'coverage_line-line'],
    ['showPlaceNames', 'LNDRGN-name'],
    ['showOverscale', 'overscale-pattern'],
    ['showDataQuality', 'M_QUAL-pattern'],
    ['showNoData', 'coverage_line-limit'],
    ['hatchNoData', 'nodata'],
    ['hatchNoData', 'bg_land-pattern'],
    ['hatchNoData', 'bg_lake-pattern'],
  ] as const)('%s shows and hides %s', (name, id) => {
    expect(isVisible(styleWith({ [name]: true }), id)).toBe(true);
    expect(isVisible(styleWith({ [name]: false }), id)).toBe(false);
  });

  test('showMaritimeBoundaries shows nothing, lines and names, or areas too', () => {
    const shown = (value: StyleOptions['showMaritimeBoundaries']) =>
      idsOf(styleWith({ showMaritimeBoundaries: value })).filter((id) => id.includes('maritime_'));
    expect(shown('false')).toEqual([]);
    expect(shown('lines').sort()).toEqual([
      'bg_maritime_label-label',
      'bg_maritime_line-label',
      'bg_maritime_line-line',
      'maritime_label-label',
      'maritime_line-line',
    ]);
    expect(shown('full')).toEqual(
      expect.arrayContaining([...shown('lines'), 'maritime_area-fill', 'bg_maritime_area-fill']),
    );
  });

  test('showNoData does not change the pattern of charted ground without depths', () => {
    for (const showNoData of [true, false]) {
      expect(isVisible(styleWith({ showNoData }), 'coverage-pattern')).toBe(true);
    }
  });

  test('showSatellite shows imagery in uncharted water, including lakes', () => {
    const style = styleWith({ showSatellite: true, satelliteTileUrl: IMAGERY });
    expect(isVisible(style, 'bg_lake-fill')).toBe(false);
    expect(isVisible(styleWith(), 'bg_lake-fill')).toBe(true);
  });

  test('showUserReports adds a source and a layer', () => {
    expect(idsOf(styleWith())).not.toContain('user_reports-icon');
    const style = styleWith({ showUserReports: true });
    expect(idsOf(style)).toContain('user_reports-icon');
    expect(style.sources['userReports']).toMatchObject({ tiles: [ADDRESSES.reports] });
    // Text groups are of the chart.
    const bare = styleWith({ showUserReports: true, textGroups: [] });
    expect(isVisible(bare, 'user_reports-count')).toBe(true);
  });

  test('showUserReports has no effect if the service lists no reports', () => {
    const { reports: _, ...addresses } = ADDRESSES;
    for (const wanted of [{ showUserReports: true }, { showLayers: ['user_reports-icon'] }]) {
      const options = { ...DEFAULT_OPTIONS, ...wanted };
      const style = buildStyle({ options, addresses, chart: CHART });
      expect(Object.keys(style.sources)).toEqual(['chart']);
      expect(idsOf(style)).not.toContain('user_reports-icon');
    }
  });

  test('showSatellite with satelliteTileUrl shows imagery below the chart', () => {
    const style = styleWith({ showSatellite: true, satelliteTileUrl: IMAGERY });
    expect(style.sources['satellite']).toMatchObject({ type: 'raster', tiles: [IMAGERY] });
    expect(idsOf(style).indexOf('satellite')).toBeLessThan(idsOf(style).indexOf('LNDARE-fill'));
    expect(idsOf(styleWith({ satelliteTileUrl: IMAGERY }))).not.toContain('satellite');
    expect(validateStyleMin(styleWith({ showSatellite: true })).map(String)).toEqual([]);
  });

  test('maskLandAreas removes land, lakes and ice outside charted areas, only with imagery', () => {
    const imagery = { showSatellite: true, satelliteTileUrl: IMAGERY };
    for (const id of ['bg_land-fill', 'bg_lake-fill', 'bg_ice-fill']) {
      expect(idsOf(styleWith(imagery))).toContain(id);
      expect(idsOf(styleWith({ ...imagery, maskLandAreas: true }))).not.toContain(id);
      expect(idsOf(styleWith({ maskLandAreas: true }))).toContain(id);
    }
  });

  test('hideLayers hides layers of showLayers; both ignore unknown ids', () => {
    const style = styleWith({
      showLayers: ['DEPARE-fill', 'LNDARE-fill', 'nonsense'],
      hideLayers: ['LNDARE-fill'],
    });
    const visible = idsOf(style).filter((id) => isVisible(style, id));
    expect(visible).toEqual(['DEPARE-fill']);
    const withPlain = styleWith({ showLayers: ['background', 'DEPARE-fill'] });
    expect(isVisible(withPlain, 'background')).toBe(true);
    expect(isVisible(styleWith({ hideLayers: ['SOUNDG-label'] }), 'SOUNDG-label')).toBe(false);
    // A layer that is hidden by default.
    expect(isVisible(styleWith({ showLayers: ['TOPMAR-icon'] }), 'TOPMAR-icon')).toBe(true);
  });

  test.each([
    ['showPlaceNames', false, 'LNDMRK-name'],
    ['showPlaceNames', false, 'AREASYM-name'],
    ['showLightSectors', false, 'LIGHTS_SECTOR-icon'],
    ['showEncBoundaries', false, 'coverage_line-line'],
    ['showOverscale', false, 'overscale-pattern'],
    ['showNoData', false, 'coverage_line-limit'],
    ['hatchNoData', false, 'nodata'],
    ['showMaritimeBoundaries', 'false', 'maritime_line-line'],
    ['showMaritimeBoundaries', 'false', 'maritime_label-label'],
    ['showMaritimeBoundaries', 'lines', 'maritime_area-fill'],
    ['showUserReports', false, 'user_reports-icon'],
    ['showUserReports', false, 'user_reports-cluster'],
    ['showSatellite', false, 'satellite'],
    ['maskLandAreas', true, 'bg_land-fill'],
    ['maskLandAreas', true, 'bg_lake-fill'],
    ['maskLandAreas', true, 'bg_ice-fill'],
  ] as const)('showLayers overrides %s=%s and shows only %s', (name, value, id) => {
    const hidden = {
      showSatellite: name !== 'showSatellite',
      satelliteTileUrl: IMAGERY,
      [name]: value,
    };
    expect(isVisible(styleWith(hidden), id)).toBe(false);
    const style = styleWith({ ...hidden, showLayers: [id] });
    expect(idsOf(style).filter((one) => isVisible(style, one))).toEqual([id]);
    expect(validateStyleMin(style).map(String)).toEqual([]);
    expect(isVisible(styleWith({ ...hidden, showLayers: [id], hideLayers: [id] }), id)).toBe(false);
  });

  test('showPlaceNames=false hides names of towns, regions and landmarks, and no other text', () => {
    const layersWith = (showPlaceNames: boolean) =>
      compileStyle(styleWith({ showPlaceNames }), 'chart').filter(
        ({ sourceLayer }) => sourceLayer === 'AREASYM',
      );
    const [shownLayers, hiddenLayers] = [layersWith(true), layersWith(false)];
    const text = (showPlaceNames: boolean, properties: Record<string, string | number>) =>
      (showPlaceNames ? shownLayers : hiddenLayers)
        .filter((layer) => layer.matches({ type: 1, properties }, 14))
        .map((layer) => layer.value<unknown>('text-field', 14, { type: 1, properties }))
        .map(String)
        .filter((one) => one !== '');
    for (const cls of ['BUAARE', 'LNDRGN', 'LNDARE', 'LNDMRK', 'BUISGL', 'AIRARE']) {
      expect(text(true, { cls, nm: 'Wick' }), cls).toEqual(['Wick']);
      expect(text(false, { cls, nm: 'Wick' }), cls).toEqual([]);
    }
    for (const shown of [true, false]) {
      expect(text(shown, { cls: 'ACHARE', nm: 'Anchorage A' })).toEqual(['Anchorage A']);
      expect(text(shown, { cls: 'BRIDGE', nm: 'High Bridge', tx: 'clr 20' })).toEqual(['clr 20']);
      expect(text(shown, { cls: 'SILTNK', nm: 'Tank', tx: '30m' })).toEqual(['30m']);
      expect(text(shown, { cls: 'SWPARE', tx: 'swept to 9' })).toEqual(['swept to 9']);
    }
  });

  test('showNoData shows the line over imagery, and hatching only with hatchNoData', () => {
    const imagery = { showSatellite: true, satelliteTileUrl: IMAGERY };
    const shown = (more: object) => {
      const style = styleWith({ ...imagery, ...more });
      return ['coverage_line-limit', 'nodata'].map((id) => isVisible(style, id));
    };
    expect(shown({})).toEqual([true, false]);
    expect(shown({ hatchNoData: true })).toEqual([true, true]);
    expect(shown({ hatchNoData: true, showNoData: false })).toEqual([false, false]);
    const ids = idsOf(styleWith({ ...imagery, hatchNoData: true })).join();
    expect(ids).toMatch(/satellite,.*nodata,.*coverage-fill/);
  });

  test('satelliteTileUrl with {s} gives the hosts a, b and c', () => {
    const satelliteTileUrl = 'http://{s}.imagery.example/{z}/{x}/{y}{ratio}.jpg';
    const style = styleWith({ showSatellite: true, satelliteTileUrl });
    expect(style.sources['satellite']).toMatchObject({
      tiles: ['a', 'b', 'c'].map((host) => `http://${host}.imagery.example/{z}/{x}/{y}{ratio}.jpg`),
    });
  });

  test('glyphs and font replace the defaults', () => {
    const glyphs = 'https://letters.example/{fontstack}/{range}.pbf';
    expect(styleWith({ glyphs }).glyphs).toBe(glyphs);
    expect(styleWith().glyphs).toBe(ADDRESSES.glyphs);
    expect(layoutOf(styleWith({ font: 'Own Sans' }), 'SOUNDG-label', 'text-font')).toEqual([
      'literal',
      ['Own Sans'],
    ]);
    const list = styleWith({ font: 'Own Sans Bold, get,Own Sans Bold' });
    expect(layoutOf(list, 'SOUNDG-label', 'text-font')).toEqual([
      'literal',
      ['Own Sans Bold', 'get'],
    ]);
    expect(validateStyleMin(list).map(String)).toEqual([]);
  });

  test('colors of a saved style override those of the theme', () => {
    const style = styleWith({ colors: { LANDA: '#123456' } });
    expect(paintOf(style, 'LNDARE-fill', 'fill-color')).toBe('#123456');
  });
});
