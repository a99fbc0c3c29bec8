// Groups of texts, and the other choices that are Leadline's own: what each shows and hides.

import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { SOURCE_LAYERS } from '../../../shared/chart/tile-schema.ts';
import { buildStyle } from '../../../shared/style/document/build-style.ts';
import { groupsOf } from '../../../shared/style/document/text-groups.ts';
import {
  DEFAULT_OPTIONS,
  type StyleOptions,
  TEXT_GROUPS,
  type TextGroup,
} from '../../../shared/style/options.ts';
import { allSymbolNames } from '../../support/symbol-names.ts';

const NOWHERE = 'https://nowhere.test/';
const styleWith = (options: Partial<StyleOptions> = {}): StyleSpecification =>
  buildStyle({
    options: { ...DEFAULT_OPTIONS, showMaritimeBoundaries: 'full', ...options },
    addresses: { tiles: NOWHERE, sprite: NOWHERE, glyphs: NOWHERE, reports: NOWHERE },
    chart: { bounds: [-180, -85, 180, 85], attribution: '', buildId: '' },
  });

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

const MEASURED = ['SOUNDG-label', 'UWTROC-depth', 'OBSTRN-depth', 'WRECKS-depth'];
const CONTOURS = ['DEPCNT-label', 'DEPEDGE-label'];

describe('groups of texts', () => {
  test('every text but soundings and depths of contours is in a group that is meant for it', () => {
    const ungrouped = textsOf(styleWith()).filter((id) => groupsOf(id).length === 0);
    expect(ungrouped.sort()).toEqual([...MEASURED, ...CONTOURS].sort());
    const others = textsOf(styleWith()).filter((id) => groupsOf(id).includes('other'));
    expect(others.every((id) => id.includes('maritime'))).toBe(true);
  });

  test('groups of texts: with no group, soundings and depths of contours are all that is written', () => {
    const left = textsOf(styleWith({ textGroups: [] }));
    expect(left.sort()).toEqual([...MEASURED, ...CONTOURS].sort());
  });

  test.each(TEXT_GROUPS)('each text of the group %s is shown with it alone', (group) => {
    const shown = textsOf(styleWith({ textGroups: [group] }));
    const expected = textsOf(styleWith()).filter((id) => groupsOf(id).includes(group));
    expect(expected).not.toEqual([]);
    expect(shown.filter((id) => groupsOf(id).length > 0)).toEqual(expected);
  });

  test.each([
    [['important'], true, false],
    [['names'], false, true],
    [['important', 'names'], true, true],
  ] as const)(
    'groups of texts: with %j of areas clearances are shown: %s, and names: %s',
    (groups, clear, named) => {
      const style = styleWith({ textGroups: groups as readonly TextGroup[] });
      expect(draws(style, 'AREASYM-label', { tx: 'clr 12', nm: 'A bridge' })).toBe(clear);
      expect(draws(style, 'AREASYM-label', { nm: 'Deep Anchorage', cls: 'ACHARE' })).toBe(named);
    },
  );

  test('a toggle of its own hides a text that its group would show', () => {
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

  test.each(MARKS)('%s takes its paper symbol where it has one, else the other', (name) => {
    const both = { sy: 'BOYLAT14', sp: 'BOYCON01-R' };
    const paper = styleWith({ symbols: 'paper' });
    expect(imageOf(paper, `${name}-icon`, both)).toBe('BOYCON01-R');
    expect(imageOf(paper, `${name}-icon`, { sy: 'BOYLAT14' })).toBe('BOYLAT14');
    expect(imageOf(styleWith(), `${name}-icon`, both)).toBe('BOYLAT14');
    // The image that keeps the surroundings of a name clear is the mark's own.
    expect(imageOf(paper, `${name}-name`, both)).toBe('BOYCON01-R');
  });

  test.each([
    [{}, false],
    [{ symbols: 'paper' }, true],
    [{ symbols: 'paper', topmarks: false }, false],
    [{ topmarks: true }, true],
  ] as const)('symbols of paper charts: with %j topmarks are shown: %s', (options, shown) => {
    const { layout } = layerOf(styleWith(options), 'TOPMAR-icon');
    expect(layout?.visibility !== 'none').toBe(shown);
  });
});

test('limits with signs stand along the lines of areas that say what they limit, and are in the sprite', () => {
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
  ])(
    'isolated dangers in shallow water: in %s, the symbol without and with',
    (_, ud, without, with_) => {
      expect(image({}, { ...danger, ud })).toBe(without);
      expect(image({ isolatedDangersInShallow: true }, { ...danger, ud })).toBe(with_);
    },
  );

  test('its depth is not written over the sign', () => {
    const style = styleWith({ isolatedDangersInShallow: true });
    expect(draws(styleWith(), 'OBSTRN-depth', { ...danger, ud: 0.5 })).toBe(true);
    expect(draws(style, 'OBSTRN-depth', { ...danger, ud: 0.5 })).toBe(false);
  });

  test('one that stands for an area has a sign where it is wanted alone, from its SCAMIN on', () => {
    const { sy: _, ...area } = { ...danger, ud: 0.5, mz: 13 };
    expect(draws(styleWith(), 'OBSTRN-icon', area)).toBe(false);
    const style = styleWith({ isolatedDangersInShallow: true });
    expect(draws(style, 'OBSTRN-icon', area)).toBe(true);
    expect(draws(style, 'OBSTRN-icon', { ...area, mz: 15 })).toBe(false);
  });
});
