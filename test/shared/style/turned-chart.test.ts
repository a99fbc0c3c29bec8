// Symbols on a rotated chart. S-52: a fixed angle is relative to the screen; an angle from an attribute is
// relative to true north.

import type { SymbolLayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { styleWith } from '../../support/written-style.ts';

const turnOf = (id: string) => {
  const { layout } = styleWith({}).layers.find((one) => one.id === id) as SymbolLayerSpecification;
  return [layout?.['icon-rotate'], layout?.['icon-rotation-alignment']];
};

test('the flare of a light keeps its angle to the screen', () => {
  const [turn, alignment] = turnOf('LIGHTS-icon');
  expect(JSON.stringify(turn)).toContain('rt');
  expect(alignment).toBe('viewport');
});

test.each(['TSSLPT-icon', 'TS_FEB-icon', 'LIGHTS_SECTOR-icon'])(
  'the symbol of %s keeps its bearing',
  (id) => {
    expect(turnOf(id)[1]).toBe('map');
  },
);
