// What turns with the chart, and what keeps its place on the screen (S-52: a fixed angle is the screen's,
// one of an attribute is from true north).

import type { SymbolLayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { styleWith } from '../../support/written-style.ts';

const turnOf = (id: string) => {
  const { layout } = styleWith({}).layers.find((one) => one.id === id) as SymbolLayerSpecification;
  return [layout?.['icon-rotate'], layout?.['icon-rotation-alignment']];
};

test('the flare of a light leans to the same side of a turned chart', () => {
  const [turn, alignment] = turnOf('LIGHTS-icon');
  expect(JSON.stringify(turn)).toContain('rt');
  expect(alignment).toBe('viewport');
});

test.each(['TSSLPT-icon', 'TS_FEB-icon', 'LIGHTS_SECTOR-icon'])(
  'what %s shows keeps its bearing on a turned chart',
  (id) => {
    expect(turnOf(id)[1]).toBe('map');
  },
);
