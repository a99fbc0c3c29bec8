// The layers of a document: their order, and the lines and areas that have one.

import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { CLASS_RULES } from '../../../tiles-build/portray/portray-cell.ts';
import { layerWith, styleWith } from '../../support/written-style.ts';

const { layers } = styleWith({ showMaritimeBoundaries: 'full' });
const ids = layers.map(({ id }) => id);

describe('the layer order', () => {
  const COAST = [
    ...['COALNE', 'LNDARE', 'SLCONS'].flatMap((name) => [`${name}-line`, `${name}-line-low`]),
    'bg_coast-line',
  ];
  const ADMINISTRATIVE =
    'RESARE CTNARE PRCARE ACHARE ACHBRT DMPGRD CBLARE PIPARE MIPARE OSPARE SPLARE FAIRWY HRBARE ' +
    'BUAARE VEGATN ICNARE CTSARE FSHGRD TSSLPT TSSBND ISTZNE RECTRC NAVLNE FERYRT CBLSUB PIPSOL';

  test('draws the boundaries of areas below the coast', () => {
    const lowestCoast = Math.min(...COAST.map((id) => ids.indexOf(id)));
    const above = ADMINISTRATIVE.split(' ').filter((name) => {
      const at = ids.indexOf(`${name}-line`);
      return at < 0 || at > lowestCoast;
    });
    expect(above).toEqual([]);
  });

  test('draws the safety contour above the coast', () => {
    for (const coast of COAST) {
      expect(ids.indexOf('DEPEDGE-safety'), coast).toBeGreaterThan(ids.indexOf(coast));
      expect(ids.indexOf('DEPEDGE-safety-low'), coast).toBeGreaterThan(ids.indexOf(coast));
    }
  });

  test.each(['COALNE', 'LNDARE', 'SLCONS'])(
    'draws %s once, dashed if its position has a low accuracy',
    (name) => {
      for (const ln of [0, 1, 2]) {
        const drawnBy = (properties: object) =>
          layers.flatMap((layer) => {
            if (layer.type !== 'line' || layer['source-layer'] !== name) return [];
            const { filter } = featureFilter(layer.filter as never, 'filter');
            const feature = { type: 2, properties: { ln, ...properties } } as const;
            return filter({ zoom: 14 }, feature) ? [layer.id] : [];
          });
        expect(drawnBy({ q: 1 })).toEqual([`${name}-line-low`]);
        expect(drawnBy({})).toEqual([
          `${name}-line${name === 'SLCONS' ? ['-dot', '-dash', ''][ln] : ''}`,
        ]);
      }
    },
  );

  test('places dangers and shoal soundings before all texts, and never omits them', () => {
    const free = layers.flatMap((layer, i) => {
      const isText = layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined;
      return isText && layer.layout?.['text-allow-overlap'] !== true ? [i] : [];
    });
    for (const id of ['UWTROC-icon', 'OBSTRN-icon', 'WRECKS-icon', 'SOUNDG-depth']) {
      expect(ids.indexOf(id), id).toBeGreaterThan(Math.max(...free));
      const { layout } = layers[ids.indexOf(id)]!;
      expect(layout).toMatchObject({ 'icon-allow-overlap': true, 'icon-ignore-placement': false });
    }
    const { layout } = layerWith('SOUNDG-depth') as { layout: Record<string, unknown> };
    expect(layout['text-allow-overlap']).toBe(true);
    expect(layout['text-ignore-placement'] ?? false).toBe(false);
  });

  test('draws shallower depths over deeper ones, whose texts are never omitted', () => {
    for (const id of ['SOUNDG-depth', 'UWTROC-depth', 'OBSTRN-depth', 'WRECKS-depth']) {
      const { layout } = layerWith(id) as { layout: Record<string, unknown> };
      expect(layout['text-allow-overlap'], id).toBe(true);
      const made = createExpression(layout['symbol-sort-key'] as never, 'layers');
      if (made.result === 'error') throw new Error(id);
      // A larger key is drawn on top if overlap is allowed.
      const keys = [-1.5, 0, 2.1, 18].map((d) =>
        made.value.evaluate({ zoom: 14 }, { type: 1, properties: { d } } as never),
      );
      expect(keys, id).toEqual(keys.toSorted((a, b) => b - a));
      expect(new Set(keys).size, id).toBe(4);
    }
  });

  test('gives soundings few keys, because MapLibre draws each key of a tile separately', () => {
    const { layout } = layerWith('SOUNDG-label') as { layout: Record<string, unknown> };
    const made = createExpression(layout['symbol-sort-key'] as never, 'layers');
    if (made.result === 'error') throw new Error('SOUNDG-label');
    const keyOf = (d: number): number =>
      made.value.evaluate({ zoom: 14 }, { type: 1, properties: { d } } as never);
    const keys = Array.from({ length: 2000 }, (_, i) => keyOf((i - 50) / 10));
    expect(keys).toEqual(keys.toSorted((a, b) => b - a));
    expect(new Set(keys).size).toBeLessThanOrEqual(8);
  });

  test('omits deep soundings because of texts, and no text or other sounding because of them', () => {
    const selects = (id: string) => {
      const { filter } = featureFilter((layerWith(id) as { filter?: never }).filter, 'filter');
      return [-1, 2.9, 3, 3.1, 20].map((d) =>
        filter({ zoom: 14 }, { type: 1, properties: { d } } as never),
      );
    };
    expect(selects('SOUNDG-depth')).toEqual([true, true, true, false, false]);
    expect(selects('SOUNDG-label')).toEqual([false, false, false, true, true]);
    const { layout } = layerWith('SOUNDG-label') as { layout: Record<string, unknown> };
    expect(layout).toMatchObject({
      'text-allow-overlap': false,
      'text-ignore-placement': true,
      'icon-ignore-placement': true,
    });
    for (const text of ['LIGHTS-label', 'BOYLAT-name', 'SEAARE-name']) {
      expect(ids.indexOf(text), text).toBeGreaterThan(ids.indexOf('SOUNDG-label'));
    }
    // Letters of the sea bed are less important than soundings.
    expect(ids.indexOf('SBDARE-label')).toBeLessThan(ids.indexOf('SOUNDG-label'));
  });

  test.each([
    [{ hideLayers: ['SOUNDG-label'] }, [false, true]],
    [{ showLayers: ['SOUNDG-label'] }, [true, false]],
    [{ hideLayers: ['SOUNDG-depth'] }, [true, false]],
  ])('with %j, the layers of deep and shoal soundings are shown: %j', (options, shown) => {
    const visible = ['SOUNDG-label', 'SOUNDG-depth'].map(
      (id) => layerWith(id, options).layout?.visibility !== 'none',
    );
    expect(visible).toEqual(shown);
  });

  test('draws texts above all lines, and aids to navigation above all texts', () => {
    const last = (type: string) => layers.findLastIndex((layer) => layer.type === type);
    const texts = layers.flatMap((layer, i) =>
      layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined ? [i] : [],
    );
    expect(Math.max(...texts)).toBeGreaterThan(last('line'));
    expect(ids.indexOf('DAYMAR-icon')).toBeGreaterThan(Math.max(...texts));
  });
});

describe('the layers', () => {
  test('draw exactly the lines and areas that the rules of classes emit', () => {
    const layersOf = (kind: string) =>
      layers.flatMap((layer) =>
        'source-layer' in layer && layer.type === kind ? (layer['source-layer'] ?? []) : [],
      );
    const classesWith = (parts: readonly string[]) =>
      Object.keys(CLASS_RULES).filter((name) =>
        CLASS_RULES[name]!.parts.some((part) => parts.includes(part)),
      );
    const sorted = (names: readonly string[]) =>
      [...new Set(names)].filter((name) => name in CLASS_RULES).sort();
    // Lines of depth areas are DEPEDGE, those of land the shores without a coastline.
    const others = ['LNDARE', 'DEPARE', 'DRGARE'];
    const without = (names: readonly string[]) =>
      sorted(names).filter((name) => !others.includes(name));
    expect(without(layersOf('line'))).toEqual(without(classesWith(['line', 'outline'])));
    expect(sorted(layersOf('fill'))).toEqual(sorted(classesWith(['fill', 'patterned'])));
  });

  test.each([
    ['COALNE', 6, 'dashed'],
    ['COALNE', 10, 'dashed'],
    ['COALNE', 4, 'solid'],
    ['RECTRC', 1, 'solid'],
    ['RECTRC', 2, 'dashed'],
    ['RCRTCL', 1, 'solid'],
    ['RCRTCL', undefined, 'dashed'],
  ] as const)('a line of %s of category %s is %s', (name, cat, look) => {
    const feature = { type: 2, properties: cat === undefined ? {} : { cat } } as const;
    const looks = layers.flatMap((layer) =>
      layer.type === 'line' &&
      layer['source-layer'] === name &&
      featureFilter(layer.filter as never, 'filter').filter({ zoom: 18 }, feature)
        ? [layer.paint?.['line-dasharray'] === undefined ? 'solid' : 'dashed']
        : [],
    );
    expect(looks).toEqual([look]);
  });
});
