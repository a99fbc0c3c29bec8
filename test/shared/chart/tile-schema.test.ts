// The tile schema: consistent, complete over the object classes, and equal to its page.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMON_PROPERTIES, TILE_PROPERTIES } from '../../../shared/chart/tile-properties.ts';
import {
  propertiesOf,
  QUERY_ONLY_CLASSES,
  SOURCE_LAYERS,
  sourceLayer,
  vectorLayers,
} from '../../../shared/chart/tile-schema.ts';
import { allSymbolNames, sectorImageNames } from '../../support/symbol-names.ts';
import { tileSchemaPage } from './tile-schema-page.ts';

const README = join(import.meta.dirname, '../../../shared/chart/README.md');

it('the tile schema names each source layer once', () => {
  const ids = SOURCE_LAYERS.map((layer) => layer.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('the tile schema describes only properties that a layer has', () => {
  const used = new Set<string>(SOURCE_LAYERS.flatMap((layer) => propertiesOf(layer)));
  expect(Object.keys(TILE_PROPERTIES).filter((key) => !used.has(key))).toEqual([]);
});

it('the tile schema has no layers for query-only classes', () => {
  expect(SOURCE_LAYERS.filter((layer) => QUERY_ONLY_CLASSES.has(layer.id))).toEqual([]);
});

it('the tile schema gives the common properties to charted layers, and not to the background', () => {
  expect(propertiesOf(sourceLayer('BOYLAT')!)).toEqual(
    expect.arrayContaining([...COMMON_PROPERTIES]),
  );
  expect(propertiesOf(sourceLayer('bg_land')!)).toEqual(['nm', 'rank']);
});

it('vectorLayers returns TileJSON layers with a type for every field', () => {
  const [depths] = vectorLayers(0, 16).filter((layer) => layer.id === 'DEPCNT');
  expect(depths).toMatchObject({
    minzoom: 0,
    maxzoom: 16,
    description: 'Depth contours',
    fields: { v: 'Number', dm: 'Number', ft: 'Number', nm: 'String', mz: 'Number' },
  });
});

it('the tile schema equals its page', async () => {
  await expect(tileSchemaPage()).toMatchFileSnapshot(README);
});

it('symbol names are sorted, unique, and safe in a URL and in a style', () => {
  const names = allSymbolNames();
  expect(names).toEqual([...new Set(names)].sort());
  expect(names.filter((name) => !/^[A-Za-z0-9-]+$/.test(name))).toEqual([]);
});

it('symbol names include both rings of every sector colour and span, and one leg', () => {
  const names = sectorImageNames();
  expect(names).toHaveLength(2 * 5 * 8 + 1);
  expect(names).toContain('arc-G-128-outer');
});
