// Lines whose colour and marks depend on the category of the object.

import {
  createExpression,
  featureFilter,
  type SymbolLayerSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { paletteFor } from '../../../shared/style/palette.ts';
import { layerWith } from '../../support/written-style.ts';

const { CHBLK, CHMGD, CHMGF, CSTLN } = paletteFor('day');
const line = (cat: number) => ({ type: 2, properties: { cat } }) as const;

function evaluated(written: unknown, cat: number): unknown {
  const made = createExpression(written as never, 'paint.line-color');
  if (made.result === 'error') throw new Error(JSON.stringify(made.value));
  return made.value.evaluate({ zoom: 12 }, line(cat));
}

test.each([
  ['PIPSOL', 0, CHMGD],
  ['PIPSOL', 6, CHMGD],
  ['PIPSOL', 2, CHBLK],
  ['PIPSOL', 5, CHBLK],
  ['MORFAC', 4, CSTLN],
  ['MORFAC', 6, CHMGF],
])('a line of %s with the category %d has the colour %s', (name, cat, color) => {
  const { paint } = layerWith(`${name}-line`);
  expect(evaluated((paint as Record<string, unknown>)['line-color'], cat)).toBe(color);
});

test('outfalls have marks of their own colour, and mooring cables have no mark', () => {
  const { layout } = layerWith('PIPSOL-mark');
  const image = (layout as Record<string, unknown>)['icon-image'];
  expect([evaluated(image, 1), evaluated(image, 3)]).toEqual(['PIPSOL05', 'PIPSOL06']);
  const { filter } = layerWith('CBLSUB-mark') as SymbolLayerSpecification;
  const isMarked = (cat: number) =>
    featureFilter(filter as never, 'filter').filter({ zoom: 18 }, line(cat));
  expect([isMarked(0), isMarked(1), isMarked(6)]).toEqual([true, true, false]);
});
