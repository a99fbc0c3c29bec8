// The style document over all its parameters: valid everywhere, true to the tile schema, and each
// parameter with the effect that the contract names.

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

const CHART = { bounds: [-180, -85, 180, 85], attribution: 'Nobody', buildId: 'b1' } as const;
const ADDRESSES = {
  tiles: 'https://charts.example/{z}/{x}/{y}.mvt',
  sprite: 'https://charts.example/sprites/day',
  glyphs: 'https://charts.example/fonts/{fontstack}/{range}.pbf',
  reports: 'https://charts.example/reports',
};
const IMAGERY = 'https://imagery.example/{z}/{x}/{y}.jpg';

const styleWith = (options: Partial<StyleOptions> = {}): StyleSpecification =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, ...options },
    addresses: ADDRESSES,
    chart: CHART,
  });

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
  test(`every layer of ${isLong ? 'every combination of choices' : 'every combination of any two flags'} is valid, in each theme, unit and kind of boundaries`, () => {
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
    // Layers depend on few choices each: of 13,824 documents, the distinct layers are 1,377. Any two
    // flags take all their four values where none is on, one of them or all, and those 297 documents
    // hold the same 1,377.
    const combinations = Array.from({ length: 2 ** flags.length }, (_, bits) =>
      flags.map((_, i) => (bits >> i) % 2 === 1),
    ).filter((on) => {
      const count = on.filter(Boolean).length;
      return isLong || count <= 1 || count === flags.length;
    });
    const distinct = new Map<string, LayerSpecification>();
    const sources = new Map<string, StyleSpecification['sources']>();
    for (const theme of THEMES) {
      for (const depthUnits of DEPTH_UNITS) {
        for (const showMaritimeBoundaries of STYLE_PARAMETERS.showMaritimeBoundaries.values) {
          for (const on of combinations) {
            const set = Object.fromEntries(flags.map((flag, i) => [flag, on[i]]));
            const style = styleWith({
              theme,
              depthUnits,
              showMaritimeBoundaries,
              satelliteTileUrl: IMAGERY,
              ...set,
            });
            for (const layer of style.layers) distinct.set(JSON.stringify(layer), layer);
            sources.set(JSON.stringify(style.sources), style.sources);
            expect(new Set(idsOf(style)).size).toBe(style.layers.length);
          }
        }
      }
    }
    const everySource = Object.assign({}, ...sources.values()) as StyleSpecification['sources'];
    const layers = [...distinct.values()].map((layer, i) => ({ ...layer, id: `${layer.id} ${i}` }));
    const whole = { ...styleWith(), sources: everySource, layers } as StyleSpecification;
    expect(validateStyleMin(whole).map(String)).toEqual([]);
    // Each layer's source must be there whenever the layer is.
    expect([...sources.values()].every((one) => 'chart' in one)).toBe(true);
  }, 180_000);

  test.each([-20, 0, 2, 3, 5.5, 30, 100, 12_000])(
    'a safety depth of %s m is valid',
    (depthLimit) => {
      expect(validateStyleMin(styleWith({ depthLimit })).map(String)).toEqual([]);
    },
  );

  test('validity equal choices give equal bytes', () => {
    expect(JSON.stringify(styleWith())).toBe(JSON.stringify(styleWith()));
  });
});

describe('the tile schema', () => {
  const style = styleWith({ showMaritimeBoundaries: 'full' });
  const drawn = new Set(
    style.layers.flatMap((layer) => ('source-layer' in layer ? (layer['source-layer'] ?? []) : [])),
  );

  test('the tile schema holds every source layer that is drawn', () => {
    const known = new Set(SOURCE_LAYERS.map(({ id }) => id));
    expect([...drawn].filter((id) => !known.has(id))).toEqual([]);
  });

  test('the tile schema has no source layer that is not drawn', () => {
    expect(SOURCE_LAYERS.map(({ id }) => id).filter((id) => !drawn.has(id))).toEqual([]);
  });

  test('the tile schema fills areas only: a fill over lines would close and fill them', () => {
    const careless = style.layers.filter(
      (layer) => layer.type === 'fill' && !JSON.stringify(layer.filter ?? '').includes('Polygon'),
    );
    const areasAlone = new Set(
      SOURCE_LAYERS.filter(({ geometry }) => geometry.join() === 'area').map(({ id }) => id),
    );
    expect(
      careless.filter(
        (layer) => !areasAlone.has((layer as { 'source-layer': string })['source-layer']),
      ),
    ).toEqual([]);
  });
});

describe('images', () => {
  test('named by the document itself are all drawn', () => {
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
  test('theme: another palette and another sprite', () => {
    for (const theme of THEMES) {
      const style = styleWith({ theme });
      expect(paintOf(style, 'background', 'background-color')).toBe(paletteFor(theme).BGWTR);
      expect(paintOf(style, 'LNDARE-fill', 'fill-color')).toBe(paletteFor(theme).LANDA);
    }
  });

  test('depthLimit: shallower water is shaded distinctly, and the safety contour moves', () => {
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

  test('depthLimit: a danger becomes an isolated one', () => {
    const rock = { sy: 'UWTROC03', d: 4, dd: 4, ud: 10 };
    const image = (depthLimit: number) =>
      evaluate(layoutOf(styleWith({ depthLimit }), 'UWTROC-icon', 'icon-image'), rock);
    expect(image(3)).toBe('DANGER02');
    expect(image(5)).toBe('ISODGR01');
    expect(image(12)).toBe('UWTROC03');
  });

  test.each([
    ['meters', { dm: 52, ft: 17 }, '5₂'],
    ['meters', { dm: 50, ft: 16 }, '5'],
    ['meters', { dm: 312, ft: 102 }, '31'],
    ['feet', { dm: 52, ft: 17 }, '17'],
    ['fathoms', { dm: 52, ft: 17 }, '2₅'],
    ['fathoms', { dm: 219, ft: 72 }, '12'],
  ] as const)('depthUnits %s: %o is written %s', (depthUnits, sounding, written) => {
    const text = layoutOf(styleWith({ depthUnits }), 'SOUNDG-label', 'text-field');
    expect(evaluate(text, sounding)).toBe(written);
  });

  test.each([
    ['showLightSectors', 'LIGHTS_SECTOR-icon'],
    ['showEncBoundaries', 'coverage_line-line'],
    ['showPlaceNames', 'LNDRGN-name'],
    ['showOverscale', 'overscale-pattern'],
    ['showNoData', 'nodata'],
    ['showNoData', 'bg_land-pattern'],
    ['showNoData', 'bg_lake-pattern'],
  ] as const)('%s shows and hides %s', (name, id) => {
    expect(isVisible(styleWith({ [name]: true }), id)).toBe(true);
    expect(isVisible(styleWith({ [name]: false }), id)).toBe(false);
  });

  test('showMaritimeBoundaries: nothing, lines and names, or areas as well', () => {
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

  test('showNoData does not touch the mark of charted ground without depths', () => {
    for (const showNoData of [true, false]) {
      expect(isVisible(styleWith({ showNoData }), 'coverage-pattern')).toBe(true);
    }
  });

  test('imagery shows through uncharted water, lakes included', () => {
    const style = styleWith({ showSatellite: true, satelliteTileUrl: IMAGERY });
    expect(isVisible(style, 'bg_lake-fill')).toBe(false);
    expect(isVisible(styleWith(), 'bg_lake-fill')).toBe(true);
  });

  test('showUserReports: a source and a layer of its own', () => {
    expect(idsOf(styleWith())).not.toContain('user_reports-icon');
    const style = styleWith({ showUserReports: true });
    expect(idsOf(style)).toContain('user_reports-icon');
    expect(style.sources['user-reports']).toMatchObject({ data: ADDRESSES.reports });
  });

  test('showUserReports where the service lists no reports: the chart as it is', () => {
    const { reports: _, ...addresses } = ADDRESSES;
    for (const wanted of [{ showUserReports: true }, { showLayers: ['user_reports-icon'] }]) {
      const options = { ...DEFAULT_OPTIONS, ...wanted };
      const style = buildStyle({ options, addresses, chart: CHART });
      expect(Object.keys(style.sources)).toEqual(['chart']);
      expect(idsOf(style)).not.toContain('user_reports-icon');
    }
  });

  test('showSatellite with satelliteTileUrl: imagery below the chart', () => {
    const style = styleWith({ showSatellite: true, satelliteTileUrl: IMAGERY });
    expect(style.sources['satellite']).toMatchObject({ type: 'raster', tiles: [IMAGERY] });
    expect(idsOf(style).indexOf('satellite')).toBeLessThan(idsOf(style).indexOf('LNDARE-fill'));
    expect(idsOf(styleWith({ satelliteTileUrl: IMAGERY }))).not.toContain('satellite');
    // Without any imagery the chart is as it was, rather than broken.
    expect(validateStyleMin(styleWith({ showSatellite: true })).map(String)).toEqual([]);
  });

  test('maskLandAreas: no flat land, lakes and ice outside charted areas, with imagery only', () => {
    const imagery = { showSatellite: true, satelliteTileUrl: IMAGERY };
    for (const id of ['bg_land-fill', 'bg_lake-fill', 'bg_ice-fill']) {
      expect(idsOf(styleWith(imagery))).toContain(id);
      expect(idsOf(styleWith({ ...imagery, maskLandAreas: true }))).not.toContain(id);
      expect(idsOf(styleWith({ maskLandAreas: true }))).toContain(id);
    }
  });

  test('showLayers, then hideLayers; unknown ids do nothing', () => {
    const style = styleWith({
      showLayers: ['DEPARE-fill', 'LNDARE-fill', 'nonsense'],
      hideLayers: ['LNDARE-fill'],
    });
    const visible = idsOf(style).filter((id) => isVisible(style, id));
    expect(visible).toEqual(['DEPARE-fill']);
    const withPlain = styleWith({ showLayers: ['background', 'DEPARE-fill'] });
    expect(isVisible(withPlain, 'background')).toBe(true);
    expect(isVisible(styleWith({ hideLayers: ['SOUNDG-label'] }), 'SOUNDG-label')).toBe(false);
    // A layer that is hidden by default comes when it is asked for.
    expect(isVisible(styleWith({ showLayers: ['TOPMAR-icon'] }), 'TOPMAR-icon')).toBe(true);
  });

  test.each([
    ['showPlaceNames', false, 'LNDMRK-name'],
    ['showPlaceNames', false, 'AREASYM-name'],
    ['showLightSectors', false, 'LIGHTS_SECTOR-icon'],
    ['showEncBoundaries', false, 'coverage_line-line'],
    ['showOverscale', false, 'overscale-pattern'],
    ['showNoData', false, 'nodata'],
    ['showMaritimeBoundaries', 'false', 'maritime_line-line'],
    ['showMaritimeBoundaries', 'false', 'maritime_label-label'],
    ['showMaritimeBoundaries', 'lines', 'maritime_area-fill'],
    ['showUserReports', false, 'user_reports-icon'],
    ['showSatellite', false, 'satellite'],
    ['maskLandAreas', true, 'bg_land-fill'],
    ['maskLandAreas', true, 'bg_lake-fill'],
    ['maskLandAreas', true, 'bg_ice-fill'],
  ] as const)('showLayers wins over %s=%s: %s is shown alone', (name, value, id) => {
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

  test('showPlaceNames=false leaves no name of a town, a region or a landmark, and every other text', () => {
    const text = (showPlaceNames: boolean, properties: Record<string, string | number>) =>
      compileStyle(styleWith({ showPlaceNames }), 'chart')
        .filter(({ sourceLayer }) => sourceLayer === 'AREASYM')
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

  test('showNoData: over imagery only where it is said, and above it', () => {
    const imagery = { showSatellite: true, satelliteTileUrl: IMAGERY };
    expect(isVisible(styleWith(), 'nodata')).toBe(true);
    expect(isVisible(styleWith(imagery), 'nodata')).toBe(false);
    expect(isVisible(styleWith({ ...imagery, showNoData: false }), 'nodata')).toBe(false);
    const said = styleWith({ ...imagery, showNoData: true });
    expect(isVisible(said, 'nodata')).toBe(true);
    const ids = idsOf(said);
    expect(ids.indexOf('nodata')).toBeGreaterThan(ids.indexOf('satellite'));
    expect(ids.indexOf('nodata')).toBeLessThan(ids.indexOf('coverage-fill'));
  });

  test('satelliteTileUrl: {s} is the hosts a, b and c, as the renderer does not know it', () => {
    const satelliteTileUrl = 'http://{s}.imagery.example/{z}/{x}/{y}{ratio}.jpg';
    const style = styleWith({ showSatellite: true, satelliteTileUrl });
    expect(style.sources['satellite']).toMatchObject({
      tiles: ['a', 'b', 'c'].map((host) => `http://${host}.imagery.example/{z}/{x}/{y}{ratio}.jpg`),
    });
  });

  test('glyphs and font', () => {
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

  test('colours of a saved style override those of the theme', () => {
    const style = styleWith({ colors: { LANDA: '#123456' } });
    expect(paintOf(style, 'LNDARE-fill', 'fill-color')).toBe('#123456');
  });
});
