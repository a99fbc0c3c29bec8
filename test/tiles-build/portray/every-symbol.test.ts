// Every symbol and pattern that the rules assign is drawn by a layer of the style.

import { expect, test } from 'vitest';
import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { isUnknownValue } from '../../../shared/s57/vocabulary/attribute-values.ts';
import { attributeByCode } from '../../../shared/s57/vocabulary/attributes.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { drawnOf, type Example, looksOf } from './chart1-page.ts';
import { CATALOGUE } from './portrayal-page.ts';

/** More than the values of any attribute that selects a symbol. */
const VALUES = 20;
const CODES = 200;

/** All enumerated attributes with one value. */
const withValue = (value: number): Attributes =>
  Object.fromEntries(
    Array.from({ length: CODES }, (_, code) => attributeByCode(code)).flatMap((known) => {
      if (known === undefined || !'EL'.includes(known.type)) return [];
      if (isUnknownValue(known.acronym, value)) return [];
      return [[known.acronym, known.type === 'L' ? [value] : value]];
    }),
  );

/** The symbols and the pattern of a feature that no layer draws. */
function undrawn(drawable: Drawable, symbols: 'simplified' | 'paper'): readonly string[] {
  const { layer, geometry, properties } = drawable;
  const { sy, sp, pt } = properties;
  const looks = looksOf(drawable, symbols);
  const image = symbols === 'paper' ? (sp ?? sy) : sy;
  const wanted = geometry.type === 'point' ? image : geometry.type === 'area' ? pt : undefined;
  if (wanted === undefined) return [];
  // Simplified symbols include the meaning of topmarks.
  if (layer === 'TOPMAR' && symbols === 'simplified') return [];
  // A danger can be an isolated danger or have another symbol for its depth.
  const isDrawn = looks.some((look) => look === `\`${wanted}\`` || /ISODGR|DANGER0/.test(look));
  return isDrawn ? [] : [`${layer} ${wanted}`];
}

test.each(['simplified', 'paper'] as const)('every symbol is drawn with %s symbols', (symbols) => {
  const missing = new Set<string>();
  for (const { acronym, primitives } of CATALOGUE) {
    for (const primitive of ['P', 'L', 'A'] as const) {
      if (!primitives.includes(primitive)) continue;
      for (let value = 0; value <= VALUES; value++) {
        const example: Example = { acronym, primitive, attributes: withValue(value) };
        for (const drawable of drawnOf(example)) {
          for (const one of undrawn(drawable, symbols)) missing.add(one);
        }
      }
    }
  }
  expect([...missing].sort()).toEqual([]);
});
