// Options that the contract does not define: text groups, symbols, boundaries and isolated dangers.

import type {
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { SOURCE_LAYERS } from '../../../shared/chart/tile-schema.ts';
import { groupsOf } from '../../../shared/style/document/text-groups.ts';
import { type StyleOptions, TEXT_GROUPS, type TextGroup } from '../../../shared/style/options.ts';
import { allSymbolNames } from '../../support/symbol-names.ts';
import { styleWith as styleWithDefaults } from '../../support/written-style.ts';

const styleWith = (options: Partial<StyleOptions> = {}): StyleSpecification =>
  styleWithDefaults({ showMaritimeBoundaries: 'full', ...options });

const isText = (layer: LayerSpecification) =>
  layer.type === 'symbol' && layer.layout?.['text-field'] !== undefined;
const textsOf = (style: StyleSpecification) =>
  style.layers
    .filter((layer) => isText(layer) && layer.layout?.visibility !== 'none')
    .map(({ id }) => id);
const layerOf = (style: StyleSpecification, id: string) =>
  style.layers.find((layer) => layer.id === id)!;
const filterOf = (style: StyleSpecification, id: string) =>
  featureFilter((layerOf(style, id) as { filter?: never }).filter, id);
const draws = (style: StyleSpecification, id: string, properties: object) =>
  filterOf(style, id).filter({ zoom: 14 } as never, { type: 1, properties } as never);

const MEASURED = ['SOUNDG-label', 'SOUNDG-depth', 'UWTROC-depth', 'OBSTRN-depth', 'WRECKS-depth'];
const CONTOURS = ['DEPCNT-label', 'DEPEDGE-label'];

describe('fullNames', () => {
  const text = (options: Partial<StyleOptions>, id: string, zoom: number, properties: object) => {
    const { layout } = layerOf(styleWith(options), id) as SymbolLayerSpecification;
    const made = createExpression(layout?.['text-field'] as never, 'layers[0].layout.text-field');
    if (made.result === 'error') throw new Error(JSON.stringify(made.value));
    return made.value.evaluate({ zoom }, { type: 1, properties } as never);
  };
  const buoy = { nm: 'Boston Main Channel Buoy 16A', no: '16A' };
  const quarter = { nm: 'Hull Gut Reach LIQ', no: 'LIQ' };

  test.each([
    ['BOYLAT-name', 14, buoy, '"16A"'],
    ['BOYLAT-number', 14, buoy, '"16A"'],
    ['BOYLAT-name', 15, { nm: '12' }, '"12"'],
    ['ACHBRT-name', 15, { nm: '12' }, 'Nr 12'],
    ['BERTHS-name', 15, { nm: 'Ferry quay' }, 'Ferry quay'],
    ['BCNLAT-name', 9, { nm: 'A' }, 'A'],
    ['BOYLAT-name', 15, buoy, buoy.nm],
    ['BCNSPP-name', 9, { nm: 'West Beacon' }, 'West Beacon'],
    ['AREASYM-label', 14, quarter, quarter.no],
    ['AREASYM-label', 15, quarter, quarter.nm],
    ['AREASYM-label', 14, { nm: 'Long Bridge', tx: 'clr 12' }, 'clr 12'],
  ] as const)('%s shows at zoom %d of %j the text %s', (id, zoom, properties, written) => {
    expect(text({}, id, zoom, properties)).toBe(written);
  });

  test('shows full names at all zooms', () => {
    expect(text({ fullNames: true }, 'BOYLAT-name', 9, buoy)).toBe(buoy.nm);
    expect(text({ fullNames: true }, 'AREASYM-label', 9, quarter)).toBe(quarter.nm);
  });
});

describe('text groups', () => {
  test('contain all texts except soundings and depths of contours', () => {
    const ungrouped = textsOf(styleWith()).filter((id) => groupsOf(id).length === 0);
    expect(ungrouped.sort()).toEqual([...MEASURED, ...CONTOURS].sort());
    const others = textsOf(styleWith()).filter((id) => groupsOf(id).includes('other'));
    expect(others.every((id) => id.includes('maritime'))).toBe(true);
  });

  test('leave only soundings and depths of contours if none is selected', () => {
    const left = textsOf(styleWith({ textGroups: [] }));
    expect(left.sort()).toEqual([...MEASURED, ...CONTOURS].sort());
  });

  test.each(TEXT_GROUPS)(
    'show exactly the texts of the group %s if it is the only one',
    (group) => {
      const shown = textsOf(styleWith({ textGroups: [group] }));
      const expected = textsOf(styleWith()).filter((id) => groupsOf(id).includes(group));
      expect(expected).not.toEqual([]);
      expect(shown.filter((id) => groupsOf(id).length > 0)).toEqual(expected);
    },
  );

  test.each([
    [['important'], true, false],
    [['names'], false, true],
    [['important', 'names'], true, true],
  ] as const)(
    'with %j show clearances of areas: %s, and names of areas: %s',
    (groups, clear, named) => {
      const style = styleWith({ textGroups: groups as readonly TextGroup[] });
      expect(draws(style, 'AREASYM-label', { tx: 'clr 12', nm: 'A bridge' })).toBe(clear);
      expect(draws(style, 'AREASYM-label', { nm: 'Deep Anchorage', cls: 'ACHARE' })).toBe(named);
    },
  );

  test('do not show a text whose own flag is off', () => {
    expect(textsOf(styleWith({ lightText: false }))).not.toContain('LIGHTS-label');
    expect(textsOf(styleWith({ showPlaceNames: false }))).not.toContain('BUAARE-name');
  });
});

describe('symbols of paper charts', () => {
  const imageOf = (style: StyleSpecification, id: string, properties: object) => {
    const { layout } = layerOf(style, id) as { layout: Record<string, unknown> };
    const made = createExpression(layout['icon-image'], id);
    if (made.result === 'error') throw new Error(String(made.value));
    return made.value.evaluate({ zoom: 14 } as never, { type: 1, properties } as never);
  };
  const MARKS = SOURCE_LAYERS.map(({ id }) => id).filter((id) =>
    /^(BOY|BCN|LITFLT|LITVES)/.test(id),
  );

  test.each(MARKS)('are used for %s if the mark has one', (name) => {
    const both = { sy: 'BOYLAT14', sp: 'BOYCON01-R' };
    const paper = styleWith({ symbols: 'paper' });
    expect(imageOf(paper, `${name}-icon`, both)).toBe('BOYCON01-R');
    expect(imageOf(paper, `${name}-icon`, { sy: 'BOYLAT14' })).toBe('BOYLAT14');
    expect(imageOf(styleWith(), `${name}-icon`, both)).toBe('BOYLAT14');
    // The layer of the name has the image of the mark, so that other labels keep clear of it.
    expect(imageOf(paper, `${name}-name`, both)).toBe('BOYCON01-R');
  });

  test.each([
    [{}, false],
    [{ symbols: 'paper' }, true],
    [{ symbols: 'paper', topmarks: false }, false],
    [{ topmarks: true }, true],
  ] as const)('with %j show topmarks: %s', (options, shown) => {
    const { layout } = layerOf(styleWith(options), 'TOPMAR-icon');
    expect(layout?.visibility !== 'none').toBe(shown);
  });
});

test('symbolized boundaries use signs that exist in the sprite', () => {
  const style = styleWith({ boundaries: 'symbolized' });
  const added = style.layers.filter(({ id }) => layerOf(styleWith(), id) === undefined);
  expect(added.map(({ id }) => id)).toContain('RESARE-mark');
  for (const { id } of added) {
    const { layout } = layerOf(style, id) as { layout: Record<string, unknown> };
    for (const bd of ['entry', 'anchor', 'fishing', 'caution', 'info', 'default']) {
      const made = createExpression(layout['icon-image'], id);
      const image =
        typeof layout['icon-image'] === 'string'
          ? layout['icon-image']
          : made.result === 'success' &&
            made.value.evaluate({ zoom: 14 } as never, { type: 2, properties: { bd } } as never);
      expect(allSymbolNames(), `${id} ${bd}`).toContain(image);
    }
  }
});

test('a danger deeper than the limit has its depth in its symbol DANGER02', () => {
  const isPrinted = (d: number) =>
    draws(styleWith({ depthLimit: 0 }), 'UWTROC-depth', { sy: 'UWTROC04', ud: -1, d, dm: 10 * d });
  expect([0.4, -1].map(isPrinted)).toEqual([true, false]);
});

describe('isolated dangers in shallow water', () => {
  const danger = { d: 1, dd: 1, sy: 'DANGER01', sd: 1, dm: 10 };
  const image = (options: Partial<StyleOptions>, properties: object) => {
    const { layout } = layerOf(styleWith(options), 'OBSTRN-icon') as {
      layout: Record<string, unknown>;
    };
    const made = createExpression(layout['icon-image'], 'x');
    if (made.result === 'error') throw new Error(String(made.value));
    return made.value.evaluate({ zoom: 14 } as never, { type: 1, properties } as never);
  };

  test.each([
    ['deep water', 5, 'ISODGR01', 'ISODGR01'],
    ['shallow water', 0.5, 'DANGER01', 'ISODGR01'],
    ['drying ground', -1, 'DANGER01', 'DANGER01'],
  ])('have the expected symbol in %s with and without the option', (_, ud, without, expected) => {
    expect(image({}, { ...danger, ud })).toBe(without);
    expect(image({ isolatedDangersInShallow: true }, { ...danger, ud })).toBe(expected);
  });

  test('have no depth label over the symbol', () => {
    const style = styleWith({ isolatedDangersInShallow: true });
    expect(draws(styleWith(), 'OBSTRN-depth', { ...danger, ud: 0.5 })).toBe(true);
    expect(draws(style, 'OBSTRN-depth', { ...danger, ud: 0.5 })).toBe(false);
  });

  test('are shown for areas only with the option, and only above the scale of SCAMIN', () => {
    const { sy: _, ...area } = { ...danger, ud: 0.5, mz: 13 };
    expect(draws(styleWith(), 'OBSTRN-icon', area)).toBe(false);
    const style = styleWith({ isolatedDangersInShallow: true });
    expect(draws(style, 'OBSTRN-icon', area)).toBe(true);
    expect(draws(style, 'OBSTRN-icon', { ...area, mz: 15 })).toBe(false);
  });
});
