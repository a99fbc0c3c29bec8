// Texts of measures next to symbols and along lines: elevations, clearances, rates of streams, bearings, channels.

import { createExpression, featureFilter } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { groupsOf } from '../../../shared/style/document/text-groups.ts';
import type { StyleOptions } from '../../../shared/style/options.ts';
import { layerWith } from '../../support/written-style.ts';

const TYPES = { point: 1, line: 2 } as const;

/** The text of a feature in a layer; `undefined` if the layer does not show the feature. */
function textIn(
  id: string,
  kind: keyof typeof TYPES,
  properties: object,
  options: Partial<StyleOptions> = {},
) {
  const layer = layerWith(id, options) as { filter?: unknown; layout?: Record<string, unknown> };
  const feature = { type: TYPES[kind], properties } as never;
  const isShown = featureFilter(layer.filter as never, id).filter({ zoom: 14 } as never, feature);
  if (!isShown) return undefined;
  const made = createExpression(layer.layout?.['text-field'], id);
  if (made.result === 'error') throw new Error(made.value.map(String).join('; '));
  return made.value.evaluate({ zoom: 14 } as never, feature);
}

test.each([
  ['LNDELV-contour', 'line'],
  ['LNDELV-name', 'point'],
  ['GATCON-clearance', 'line'],
] as const)('%s of a %s is in the selected unit', (id, kind) => {
  const measure = { tx: '120', tf: '394', bn: 5 };
  expect(textIn(id, kind, measure)).toBe('120');
  expect(textIn(id, kind, measure, { depthUnits: 'feet' })).toBe('394');
});

test.each([
  ['meters', 'swept to 12₃'],
  ['feet', 'swept to 40'],
  ['fathoms', 'swept to 6₄'],
] as const)('the depth of a swept area in %s is: %s', (depthUnits, text) => {
  const swept = {
    cls: 'SWPARE',
    tx: 'swept to 12.3',
    tf: 'swept to 40 ft',
    dm: 123,
    ft: 40,
    bn: 5,
  };
  expect(textIn('AREASYM-label', 'point', swept, { depthUnits })).toBe(text);
});

test.each([
  ['CURENT-label', 'point', '2 kn'],
  ['TS_FEB-label', 'point', '1.5 kn'],
  ['RDOCAL-label', 'point', 'VHF 16'],
  ['NAVLNE-label', 'line', '045°'],
  ['RECTRC-label', 'line', '063° - 243°'],
  ['RCRTCL-label', 'line', '063°'],
  ['DWRTCL-label', 'line', '250°'],
] as const)('%s of a %s shows %s and belongs to the important texts', (id, kind, tx) => {
  expect(textIn(id, kind, { tx })).toBe(tx);
  expect(textIn(id, kind, {})).toBeUndefined();
  expect(groupsOf(id)).toEqual(['important']);
});
